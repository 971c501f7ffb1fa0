import { projectId } from '@/app/api/project-id';
import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type TriggerParams, triggerId } from '@/app/api/trigger-bodies';
import { runTriggerNow } from '@/lib/server/triggers';

/** Starts a run as the trigger would now. */
export const POST = respond<TriggerParams>(async (request, params, actor) => {
  await readNoBody(request);
  const started = await runTriggerNow(actor, projectId(params), triggerId(params));
  return Response.json(started, { status: 202, headers: { Location: `/api/v1/runs/${started.run}` } });
});
