import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type ReviewParams, reviewNumber, versionBody } from '@/app/api/review-bodies';
import { addVersion } from '@/lib/server/reviews';

/** Adds what the draft has now as a version. */
export const POST = respond<ReviewParams>(async (request, params, actor) => {
  const { message } = await readJson(request, versionBody);
  const added = await addVersion(actor, projectId(params), reviewNumber(params), message);
  return Response.json(added, { status: added.isNew ? 201 : 200 });
});
