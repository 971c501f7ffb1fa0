import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { publishBody, type ReviewParams, reviewNumber } from '@/app/api/review-bodies';
import { publishReview } from '@/lib/server/reviews';

/** Publishes the newest version of a review. */
export const POST = respond<ReviewParams>(
  async (request, params, actor) =>
    await publishReview(actor, projectId(params), reviewNumber(params), await readJson(request, publishBody)),
);
