import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { reviewNumber, type ThreadParams, threadStateBody } from '@/app/api/review-bodies';
import { setThread } from '@/lib/server/review-threads';

/** Resolves a thread, or opens it again. */
export const PATCH = respond<ThreadParams>(async (request, params, actor) => {
  const { state } = await readJson(request, threadStateBody);
  await setThread(actor, projectId(params), { review: reviewNumber(params), thread: params.thread }, state);
  return new Response(null, { status: 204 });
});
