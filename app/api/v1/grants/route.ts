import { z } from 'zod';
import { projectId } from '@/app/api/project-id';
import { checkInput } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { readGrants } from '@/lib/server/pending';

const query = z.object({ project: z.string().optional() });

/** The approvals that are remembered, newest first. */
export const GET = respond(async (request, _params, actor) => {
  const { project } = checkInput(Object.fromEntries(new URL(request.url).searchParams), query);
  return { grants: await readGrants(actor, project === undefined ? undefined : projectId({ project })) };
});
