import { readBytes } from '@/app/api/read-body';
import { respondToAnyone } from '@/app/api/respond';
import { triggerId } from '@/app/api/trigger-bodies';
import { largestHookBytes } from '@/lib/base/triggers';
import { receiveHook } from '@/lib/server/hooks';

/** Takes a message of a webhook and starts a run. Its signature is all that it needs. */
export const POST = respondToAnyone<{ readonly hook: string }>(async (request, { hook }) => {
  const trigger = triggerId({ trigger: hook });
  const body = () => readBytes(request, largestHookBytes);
  const answer = await receiveHook({ trigger, headers: request.headers, body });
  return Response.json(answer, { status: 202, headers: { Location: `/api/v1/runs/${answer.run}` } });
});
