import { z } from 'zod';
import { projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { readGrants } from '@/lib/server/pending';

const query = z.object({ project: z.string().optional() });

/** The approvals that are remembered, newest first. */
export const GET = respond(query, async (_request, _params, actor, { project }) => {
  return { grants: await readGrants(actor, project === undefined ? undefined : projectId({ project })) };
});
