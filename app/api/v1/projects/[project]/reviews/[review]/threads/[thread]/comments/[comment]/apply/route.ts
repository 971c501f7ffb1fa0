import { projectId } from '@/app/api/project-id';
import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { reviewNumber, type ThreadParams } from '@/app/api/review-bodies';
import { applySuggestion } from '@/lib/server/review-threads';

/** Puts a suggestion into the draft of the review. */
export const POST = respond<ThreadParams & { readonly comment: string }>(async (request, params, actor) => {
  await readNoBody(request);
  const { thread, comment } = params;
  return await applySuggestion(actor, projectId(params), { review: reviewNumber(params), thread, comment });
});
