import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { AppError } from '@/lib/base/app-error';
import { readRunEvent } from '@/lib/server/runs';

/** One event, whole. It never changes, so a browser may keep it. */
export const GET = respond<RunParams & { readonly seq: string }>(async (_request, params) => {
  if (!/^\d{1,9}$/.test(params.seq)) throw new AppError('bad_request', 'An event is named by its number.');
  const event = await readRunEvent(runId(params), Number(params.seq));
  return Response.json(event, { headers: { 'Cache-Control': 'private, max-age=31536000, immutable' } });
});
