import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type ReviewParams, reviewNumber, verdictBody } from '@/app/api/review-bodies';
import { giveVerdict } from '@/lib/server/reviews';

/** Approves, asks for changes, or withdraws what the person said before. */
export const POST = respond<ReviewParams>(async (request, params, actor) => {
  await giveVerdict(actor, projectId(params), reviewNumber(params), await readJson(request, verdictBody));
  return new Response(null, { status: 204 });
});
