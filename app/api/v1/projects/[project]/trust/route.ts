import { confirmBody } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { filesQuery } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { confirmCapabilities, readTrust } from '@/lib/server/trust';

/** Answers what runs of the project would start or call, and whether somebody has confirmed it. */
export const GET = respond(filesQuery, async (_request, params: ProjectParams, actor, target) => {
  return await readTrust(actor, projectId(params), target);
});

/** Confirms the list with this hash, if it is still the current one. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const { hash } = await readJson(request, confirmBody);
  return await confirmCapabilities(actor, projectId(params), hash);
});
