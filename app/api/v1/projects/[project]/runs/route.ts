import { runBody, runInput } from '@/app/api/project-bodies';
import { type ProjectParams, projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { startRun } from '@/lib/server/runs';

/** Queues a run and answers without waiting for it. The run's events report its progress. */
export const POST = respond<ProjectParams>(async (request, params, actor) => {
  const input = await readJson(request, runBody);
  const started = await startRun(actor, projectId(params), runInput(input));
  return Response.json(started, { status: 202, headers: { Location: `/api/v1/runs/${started.runId}` } });
});
