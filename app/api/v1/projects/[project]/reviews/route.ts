import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { openReviewBody, reviewsQuery } from '@/app/api/review-bodies';
import { listReviews, openReview } from '@/lib/server/reviews';

/** Lists reviews, newest first. */
export const GET = respond(reviewsQuery, async (_request, params: ProjectParams, actor, asked) => ({
  reviews: await listReviews(actor, projectId(params), asked),
}));

/** Opens a review of a draft. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const opened = await openReview(actor, projectId(params), await readJson(request, openReviewBody));
  return Response.json(opened, { status: 201 });
});
