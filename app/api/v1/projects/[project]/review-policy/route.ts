import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { reviewPolicy } from '@/lib/base/review-policy';
import { getReviewPolicy, setReviewPolicy } from '@/lib/server/reviews';

export const GET = respond<ProjectParams>(
  async (_request, params, actor) => await getReviewPolicy(actor, projectId(params)),
);

export const PUT = respond<ProjectParams>(async (request, params, actor) => {
  await setReviewPolicy(actor, projectId(params), await readJson(request, reviewPolicy));
  return new Response(null, { status: 204 });
});
