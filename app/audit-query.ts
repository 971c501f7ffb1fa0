import { z } from 'zod';
import type { Actor } from '@/lib/base/actor';
import { auditActions } from '@/lib/base/audit';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { type AuditPage, listAudit } from '@/lib/server/audit';

const action = z.enum(auditActions, `Some of ${auditActions.join(', ')}, with commas.`);

export const auditQuery = z.object({
  action: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(action))
    .optional(),
  project: z
    .string()
    .transform((id) => brandAs<ProjectId>(id))
    .optional(),
  actor: z.string().max(200).optional(),
  before: z.coerce.number('Give the "next" of the page before.').int().min(1).max(1e15).optional(),
  limit: z.coerce.number('Give a number.').int('Give a whole number.').min(1).max(500, 'At most 500.').default(100),
});

/** Reads the page of the audit log that a query asks for. */
export async function findEntries(actor: Actor, asked: z.infer<typeof auditQuery>): Promise<AuditPage> {
  const { action: actions, ...rest } = asked;
  return await listAudit(actor, { actions, ...rest });
}
