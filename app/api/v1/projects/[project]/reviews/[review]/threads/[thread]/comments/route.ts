import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { commentBody, reviewNumber, type ThreadParams } from '@/app/api/review-bodies';
import { reply } from '@/lib/server/review-threads';

/** Answers in a thread. */
export const POST = respond<ThreadParams>(async (request, params, actor) => {
  const at = { review: reviewNumber(params), thread: params.thread };
  const said = await reply(actor, projectId(params), at, await readJson(request, commentBody));
  return Response.json(said, { status: 201 });
});
