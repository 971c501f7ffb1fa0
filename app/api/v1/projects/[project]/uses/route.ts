import { z } from 'zod';
import { plainName } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { partKinds } from '@/lib/base/uses';
import { findUses } from '@/lib/server/uses';

const query = z.object({
  kind: z.enum(partKinds, `Give one of ${partKinds.join(', ')}.`),
  name: z
    .string('Give the name of the part.')
    .min(1)
    .max(500, 'At most 500 characters.')
    .refine((name) => !name.includes('\0'), 'A name has no NUL.'),
  draft: plainName.default('main'),
});

/** Lists where a part of the project is used, over all projects that the person may read. */
export const GET = respond(query, async (_request, params: ProjectParams, actor, part) => {
  return await findUses(actor, projectId(params), part);
});
