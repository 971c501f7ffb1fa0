import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { commentTextBody, reviewNumber, type ThreadParams } from '@/app/api/review-bodies';
import { editComment, removeComment } from '@/lib/server/review-threads';

/** Changes the text of a person's own comment. */
export const PATCH = respond<ThreadParams & { readonly comment: string }>(async (request, params, actor) => {
  const { body } = await readJson(request, commentTextBody);
  const { thread, comment } = params;
  await editComment(actor, projectId(params), { review: reviewNumber(params), thread, comment }, body);
  return new Response(null, { status: 204 });
});

/** Deletes a person's own comment. Its place in the thread stays. */
export const DELETE = respond<ThreadParams & { readonly comment: string }>(async (_request, params, actor) => {
  const { thread, comment } = params;
  await removeComment(actor, projectId(params), { review: reviewNumber(params), thread, comment });
  return new Response(null, { status: 204 });
});
