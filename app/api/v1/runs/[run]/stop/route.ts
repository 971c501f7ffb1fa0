import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { stopRun } from '@/lib/server/runs';

/** Asks for a stop and does not wait for it. The run ends `cancelled` within seconds. */
export const POST = respond<RunParams>(async (request, params, actor) => {
  await readNoBody(request);
  await stopRun(actor, runId(params));
  return new Response(null, { status: 202 });
});
