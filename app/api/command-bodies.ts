import { z } from 'zod';
import { filesFields } from './release-bodies';

const statuses = ['asked', 'approved', 'denied', 'revoked'] as const;

export const commandQuery = z.strictObject({
  status: z.enum(statuses, `status: one of ${statuses.join(', ')}.`).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});

/** `approve`: the ids of the commands that an administrator has seen. Without it somebody asks. The rest names the files, `main` by default. */
export const askBody = z.strictObject({ approve: z.array(z.string()).max(10_000).optional(), ...filesFields });

/** The note is for the people who asked. */
export const decisionBody = z.strictObject({
  decision: z.enum(['approve', 'deny', 'revoke']),
  note: z.string().trim().max(2_000, 'note: at most 2,000 characters.').default(''),
});
