import type { Clock } from '@/lib/base/clock';
import { err, type Result } from '@/lib/base/result';
import { hasLeft } from '@/lib/base/run-left';
import type { A2aCard } from '@/lib/cards/card';
import type { RemoteAgentPort, RemoteContext, RemoteMessage, RemoteReply } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';
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
  /**
   * Waits for calls that are being stopped and for the cancellations of their tasks, and closes the connections. From then on a call
   * that stops does not cancel its remote task.
   */
  close(): Promise<void>;
}

const largestAnswer = 8 * 1024 * 1024;
/** A call that is being stopped asks for the cancellation of its task within this time. */
const stopMs = 2_000;

/** Makes the calls of the remote agents of one run. The A2A SDK is loaded at the first call. */
export function createRemoteAgents(input: RemoteAgentsInput): RemoteAgents {
  const { clock, guard, maxChars = largestAnswer } = input;
  const cancelling = new Set<Promise<unknown>>();
  /** Calls that have not ended, each with its signal. */
  const sending = new Map<Promise<unknown>, AbortSignal>();
  let http: GuardedFetch | undefined;
  let isLeft = false;

  /** The call does not wait for the cancellation, and a failure has no effect: the remote agent need not support it. */
  function onLeft(cancelTask: () => Promise<void>): void {
    if (isLeft) return;
    const sent = cancelTask().catch(() => undefined);
    cancelling.add(sent);
    void sent.then(() => cancelling.delete(sent));
  }

  async function call(
    card: A2aCard,
    message: RemoteMessage,
    context: RemoteContext,
  ): Promise<Result<RemoteReply, RunError>> {
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
  }

  /** A run does not wait for the calls that it stops, so some may not have asked for a cancellation yet. */
  async function stopCalls(): Promise<void> {
    const stopped = [...sending].flatMap(([sent, signal]) => (signal.aborted && !hasLeft(signal) ? [sent] : []));
    if (isLeft || stopped.length === 0) return;
    const isDone = new AbortController();
    await Promise.race([Promise.allSettled(stopped), clock.sleep(stopMs, isDone.signal)]);
    isDone.abort();
  }

  return {
    async send(card, message, context) {
      const sent = call(card, message, context);
      sending.set(sent, context.signal);
      try {
        return await sent;
      } finally {
        sending.delete(sent);
      }
    },
    leave() {
      isLeft = true;
    },
    async close() {
      await stopCalls();
      isLeft = true;
      await Promise.all(cancelling);
      http?.close();
    },
  };
}
