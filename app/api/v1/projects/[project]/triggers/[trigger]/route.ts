import { projectId } from '@/app/api/project-id';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type TriggerParams, triggerEdit, triggerId } from '@/app/api/trigger-bodies';
import { editTrigger, removeTrigger } from '@/lib/server/triggers';

/** Changes a trigger, or switches it on or off. */
export const PATCH = respond<TriggerParams>(async (request, params, actor) => {
  await editTrigger(actor, projectId(params), triggerId(params), await readJson(request, triggerEdit));
  return new Response(null, { status: 204 });
});

/** Deletes a trigger. Its runs stay. */
export const DELETE = respond<TriggerParams>(async (_request, params, actor) => {
  await removeTrigger(actor, projectId(params), triggerId(params));
  return new Response(null, { status: 204 });
});
