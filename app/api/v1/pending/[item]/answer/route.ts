import { answerBody } from '@/app/api/pending-bodies';
import { type PendingParams, pendingId } from '@/app/api/pending-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { answerPending } from '@/lib/server/pending';

/** Answers a question. The first answer counts; a later one is a 409 that says who was first. */
export const POST = respond<PendingParams>(async (request, params, actor) => {
  return await answerPending(actor, pendingId(params), await readJson(request, answerBody));
});
