import { projectId } from '@/app/api/project-id';
import { readNoBody } from '@/app/api/read-body';
import { respond } from '@/app/api/respond';
import { type TriggerParams, triggerId } from '@/app/api/trigger-bodies';
import { renewTriggerSecret } from '@/lib/server/triggers';

/** Makes a new secret for a webhook, and answers it this once. */
export const POST = respond<TriggerParams>(async (request, params, actor) => {
  await readNoBody(request);
  return await renewTriggerSecret(actor, projectId(params), triggerId(params));
});
