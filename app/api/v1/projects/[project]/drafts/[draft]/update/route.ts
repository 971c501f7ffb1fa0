import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { draftName, updateBody } from '@/app/api/release-bodies';
import { respond } from '@/app/api/respond';
import { updateFromLive } from '@/lib/server/update-draft';

/** Brings what is live into a draft. With conflicts the answer has them, and nothing is saved. */
export const POST = respond<ProjectParams & { readonly draft: string }>(async (request, params, actor) => {
  const body = await readJson(request, updateBody);
  return await updateFromLive(actor, projectId(params), draftName(params), body);
});
