import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { AppError } from '@/lib/base/app-error';
import { readRunCall } from '@/lib/server/runs';

/** Answers the tool call that an event starts, with the answer of its tool. */
export const GET = respond<RunParams & { readonly seq: string }>(async (_request, params, actor) => {
  if (!/^\d{1,9}$/.test(params.seq))
    throw new AppError('bad_request', 'A call is named by the number of its first event.');
  return await readRunCall(actor, runId(params), Number(params.seq));
});
