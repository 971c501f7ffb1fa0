import type { Message } from '@/lib/runtime/record/messages';
import type { HookedInstance } from './hooked-instance';

/**
 * What phase hooks see of a conversation. As in fast-agent (llm_decorator.py, tool_runner.py), messages that the model has not
 * read yet are pending and not history:
 *
 *   before_llm_call   history │ pending          after_llm_call, before_tool_call   history ⧺ sent ⧺ answer │
 *   after_tool_call   history ⧺ sent ⧺ answer │ results
 *
 * With `use_history: false` no message of the turn ever becomes history.
 */

export function historyOf({ messages, turn }: HookedInstance): readonly Message[] {
  return messages.slice(0, Math.max(0, messages.length - turn.pending));
}

export function pendingOf({ messages, turn }: HookedInstance): readonly Message[] {
  return turn.pending === 0 ? [] : messages.slice(-turn.pending);
}

/** Marks the pending messages as sent. Call it before a model call. */
export function noteSent(instance: HookedInstance): void {
  instance.turn.sent = pendingOf(instance);
}

/** Updates the view with the model's answer. Call it after the answer was added to the conversation. */
export function noteAnswer({ turn, spec }: HookedInstance, answer: Message): void {
  turn.said.push(answer);
  turn.pending = spec.card.useHistory ? 0 : turn.pending + 1;
}

/**
 * Updates the view with the results of a batch. Call it after the results and the merged messages of children were added.
 */
export function noteResults(
  { messages, turn, spec }: HookedInstance,
  { merged }: { readonly merged: readonly Message[] },
): void {
  const results = messages.at(-1);
  if (results) turn.said.push(results);
  turn.pending = spec.card.useHistory ? 1 : turn.pending + merged.length + 1;
}
