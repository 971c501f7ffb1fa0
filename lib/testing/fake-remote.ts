import { err, ok } from '@/lib/base/result';
import type { RemoteAgentPort, RemoteContext, RemoteMessage, RemoteTaskRef } from '@/lib/runtime/ports';
import type { RunError } from '@/lib/runtime/record/events';

/** One call that a fake remote agent got. */
export interface RemoteCall extends RemoteMessage {
  readonly card: string;
  readonly messageId: string;
  /** The task for whose end it should wait. */
  readonly rejoined: RemoteTaskRef | undefined;
}

export interface FakeRemote extends RemoteAgentPort {
  readonly calls: readonly RemoteCall[];
}

interface Reply {
  readonly states?: readonly string[];
  readonly texts?: readonly string[];
  readonly text?: string;
  readonly error?: RunError;
  /** Waits until the call is stopped. */
  readonly hangs?: true;
}

/** A remote agent whose task `T1`, `T2`, … (one a message) goes through `states` and answers. It remembers its tasks. */
export function fakeRemote(reply: (message: RemoteMessage) => Reply): FakeRemote {
  const calls: RemoteCall[] = [];
  const sent = new Map<string, RemoteMessage>();

  async function send(card: { readonly name: string }, message: RemoteMessage, context: RemoteContext) {
    const { messageId, task: rejoined, signal } = context;
    calls.push({ ...message, card: card.name, messageId, rejoined });
    const taskId = rejoined?.taskId ?? `T${sent.size + 1}`;
    if (!rejoined) sent.set(taskId, message);
    const { states = ['working', 'completed'], texts = [], text = '', error, hangs } = reply(message);
    for (const state of states) context.onTask({ taskId, contextId: 'C', state });
    for (const piece of texts) context.onText(piece);
    if (hangs) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return error || hangs
      ? err(error ?? { code: 'cancelled', message: 'Stopped.' })
      : ok({ text, taskId, contextId: 'C' });
  }
  return { calls, send };
}
