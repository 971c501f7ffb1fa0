import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type ReviewParams, reviewNumber, threadBody } from '@/app/api/review-bodies';
import { comment } from '@/lib/server/review-threads';

/** Begins a thread of comments. */
export const POST = respond<ReviewParams>(async (request, params, actor) => {
  const begun = await comment(actor, projectId(params), reviewNumber(params), await readJson(request, threadBody));
  return Response.json(begun, { status: 201 });
});
