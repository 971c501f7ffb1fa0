import type { Clock } from '@/lib/base/clock';
import { err } from '@/lib/base/result';
import type { RemoteAgentPort } from '@/lib/runtime/ports';
import type { AddressGuard } from '@/lib/tools/mcp/address-guard';
import { createGuardedFetch, type GuardedFetch } from '@/lib/tools/mcp/guarded-fetch';
import type { FillPolicy } from '@/lib/tools/mcp/settings-filler';
import { agentSpec } from './agent-spec';

export interface RemoteAgentsInput extends FillPolicy {
  readonly clock: Clock;
  readonly guard: AddressGuard;
  /** The longest answer in characters. The default, which is also the maximum, is 8 Mi. */
  readonly maxChars?: number | undefined;
}

export interface RemoteAgents extends RemoteAgentPort {
  /** Called when the run continues in another process. From then on a call that stops does not cancel its remote task. */
  leave(): void;
  /** Leaves, waits for cancellations that are being sent, and closes the connections. */
  close(): Promise<void>;
}

const largestAnswer = 8 * 1024 * 1024;

/** Makes the calls of the remote agents of one run. The A2A SDK is loaded at the first call. */
export function createRemoteAgents(input: RemoteAgentsInput): RemoteAgents {
  const { clock, guard, maxChars = largestAnswer } = input;
  const cancelling = new Set<Promise<unknown>>();
  let http: GuardedFetch | undefined;
  let isLeft = false;

  /** The call does not wait for the cancellation, and a failure has no effect: the remote agent need not support it. */
  function onLeft(cancelTask: () => Promise<void>): void {
    if (isLeft) return;
    const sent = cancelTask().catch(() => undefined);
    cancelling.add(sent);
    void sent.then(() => cancelling.delete(sent));
  }

  return {
    async send(card, message, context) {
      const spec = agentSpec(card, input);
      if (typeof spec === 'string') {
        return err({ code: 'a2a_settings', message: `Remote agent '${card.name}' cannot be called: ${spec}` });
      }
      const refused = guard.problemOf(spec.url);
      if (refused !== undefined) {
        return err({ code: 'a2a_address', message: `Remote agent '${card.name}' is not called: ${refused}` });
      }
      const { callAgent } = await import('./call-agent');
      http ??= createGuardedFetch(guard);
      const limit = Math.min(maxChars, largestAnswer);
      return await callAgent({ card, spec, message, context, http, clock, maxChars: limit, onLeft });
    },
    leave() {
      isLeft = true;
    },
    async close() {
      isLeft = true;
      await Promise.all(cancelling);
      http?.close();
    },
  };
}
