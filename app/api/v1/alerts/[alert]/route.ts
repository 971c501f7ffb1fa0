import { type AlertParams, alertEdit, alertId } from '@/app/api/alert-bodies';
import { readJson } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { editAlert, removeAlert } from '@/lib/server/alerts';

/** Gives an alert another line, or switches it on or off. */
export const PATCH = respond<AlertParams>(async (request, params, actor) => {
  await editAlert(actor, alertId(params), await readJson(request, alertEdit));
  return new Response(null, { status: 204 });
});

/** Removes an alert. Notices that were sent stay. */
export const DELETE = respond<AlertParams>(async (_request, params, actor) => {
  await removeAlert(actor, alertId(params));
  return new Response(null, { status: 204 });
});
