import { err, ok } from '@/lib/base/result';
import type { RemoteAgentPort, RemoteContext, RemoteMessage, RemoteTaskRef } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';

/** One call that a fake remote agent got. */
export interface RemoteCall extends RemoteMessage {
  readonly card: string;
  readonly messageId: string;
  /** The task for whose end it should wait. */
  readonly rejoined: RemoteTaskRef | undefined;
  /** True if the message is an answer to the task. */
  readonly isReply?: true;
}

export interface FakeRemote extends RemoteAgentPort {
  readonly calls: readonly RemoteCall[];
}

interface Reply {
  readonly states?: readonly string[];
  readonly texts?: readonly string[];
  readonly text?: string;
  readonly error?: RunError;
  /** What the task needs before it goes on. Its state is the last one of `states`. */
  readonly asks?: string;
  /** Waits until the call is stopped. */
  readonly hangs?: true;
}

/**
 * A remote agent whose task `T1`, `T2`, … (one a message) goes through `states` and answers. It remembers the last message of each
 * task; `sent` are those of earlier executions.
 */
export function fakeRemote(
  reply: (message: RemoteMessage) => Reply,
  sent: Map<string, RemoteMessage> = new Map(),
): FakeRemote {
  const calls: RemoteCall[] = [];

  async function send(card: { readonly name: string }, message: RemoteMessage, context: RemoteContext) {
    const { messageId, task: rejoined, signal, isReply, takesQuestions } = context;
    calls.push({ ...message, card: card.name, messageId, rejoined, ...(isReply && { isReply }) });
    const taskId = rejoined?.taskId ?? `T${sent.size + 1}`;
    if (!rejoined || isReply) sent.set(taskId, message);
    const current = sent.get(taskId) ?? message;
    const { states = ['working', 'completed'], texts = [], text = '', error, asks, hangs } = reply(current);
    // Who asks for a known task gets the state that it is in.
    const passed = rejoined && !isReply ? states.slice(-1) : states;
    for (const state of passed) context.onTask({ taskId, contextId: 'C', state });
    for (const piece of texts) context.onText(piece);
    if (asks !== undefined) {
      const failed = { code: 'a2a_input_required', message: `It says: ${asks}` };
      if (!takesQuestions) return err(failed);
      return ok({ text: asks, taskId, contextId: 'C', asks: { state: 'input-required', error: failed } as const });
    }
    if (hangs) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return error || hangs
      ? err(error ?? { code: 'cancelled', message: 'Stopped.' })
      : ok({ text, taskId, contextId: 'C' });
  }
  return { calls, send };
}
