import { projectId } from '@/app/api/project-id';
import { respond } from '@/app/api/respond';
import { type TriggerParams, triggerId } from '@/app/api/trigger-bodies';
import { renewTriggerSecret } from '@/lib/server/triggers';

/** Makes a new secret for a webhook, and answers it this once. */
export const POST = respond<TriggerParams>(
  async (_request, params, actor) => await renewTriggerSecret(actor, projectId(params), triggerId(params)),
);
