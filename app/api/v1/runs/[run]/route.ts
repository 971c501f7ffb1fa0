import { respond } from '@/app/api/respond';
import { type RunParams, runId } from '@/app/api/run-id';
import { AppError } from '@/lib/base/app-error';
import { removeRun } from '@/lib/server/run-bin';
import { getRun } from '@/lib/server/runs';
import { getRunWithSuspended } from '@/lib/server/suspended-run';

export const GET = respond<RunParams>(
  async (_request, params, actor) => await getRunWithSuspended(actor, runId(params)),
);

/** Puts a run that has ended into the bin. `POST /api/v1/runs/restore` brings it back for a day. */
export const DELETE = respond<RunParams>(async (_request, params, actor) => {
  const id = runId(params);
  await getRun(actor, id, 0);
  if (!(await removeRun(actor, id)))
    throw new AppError('conflict', 'The run is still active. Stop it, then delete it.');
  return new Response(null, { status: 204 });
});
