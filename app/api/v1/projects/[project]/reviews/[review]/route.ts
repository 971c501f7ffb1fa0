import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type ReviewParams, reviewNumber, reviewStatusBody } from '@/app/api/review-bodies';
import { getReview, withdrawReview } from '@/lib/server/reviews';

/** Reads a review with its versions, verdicts and comments. */
export const GET = respond<ReviewParams>(
  async (_request, params, actor) => await getReview(actor, projectId(params), reviewNumber(params)),
);

/** Withdraws a review. */
export const PATCH = respond<ReviewParams>(async (request, params, actor) => {
  await readJson(request, reviewStatusBody);
  await withdrawReview(actor, projectId(params), reviewNumber(params));
  return new Response(null, { status: 204 });
});
