import { z } from 'zod';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { listHookChanges } from '@/lib/server/hook-changes';

const query = z.object({
  hook: z
    .string('Give the name of a hook.')
    .min(1, 'Give the name of a hook.')
    .max(500, 'At most 500 characters.')
    .refine((name) => !name.includes('\0'), 'A name has no NUL.'),
  limit: z.coerce
    .number('Give a number.')
    .int('Give a whole number.')
    .min(1, 'At least 1.')
    .max(200, 'At most 200.')
    .default(50),
  after: z.string().max(500).optional(),
});

/** Lists the calls that a hook changed, over the runs of a project, newest run first. */
export const GET = respond(query, async (_request, params: ProjectParams, actor, { hook, limit, after }) => {
  return await listHookChanges(actor, projectId(params), { hook, limit, after });
});
