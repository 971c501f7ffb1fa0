import { refuseBatch } from '@/lib/runtime/calls/tool-batch';
import { append, type HookedAnswer } from '@/lib/runtime/hooks/turn-hooks';
import { noteResults } from '@/lib/runtime/hooks/turn-view';
import type { Instance } from '@/lib/runtime/instance/instance';
import { noteOddEnd } from '@/lib/runtime/model/odd-end';
import type { RunError } from '@/lib/runtime/record/events';
import type { AssistantMessage } from '@/lib/runtime/record/messages';
import { errorResult } from '@/lib/runtime/record/tool-error';

/** True for an answer with calls that was cut or withheld. None of its calls runs: some may be missing or incomplete. */
export function hasCutCalls({ stopReason, toolCalls }: AssistantMessage): boolean {
  return toolCalls.length > 0 && (stopReason === 'max_tokens' || stopReason === 'safety');
}

/**
 * Refuses the calls of an answer that was cut or withheld. The model reads that its answer was cut and may send less. The second cut
 * in a row ends the turn, and so does an answer that was withheld. Returns the error that ends it.
 */
export function refuseCutCalls(
  instance: Instance,
  { message, appended }: HookedAnswer,
  { stopReason }: AssistantMessage,
  cutBefore: boolean,
): RunError | undefined {
  const { messages, spec } = instance;
  noteOddEnd(instance, { ...message, stopReason });
  const isCut = stopReason === 'max_tokens';
  const why = isCut
    ? 'The answer was cut at the limit of output tokens, so none of its calls ran. Send fewer calls, or shorter arguments.'
    : 'The provider withheld the answer or a part of it, so none of its calls ran.';
  const result = errorResult('INPUT_VALIDATION', `Error: ${why}`);
  refuseBatch(instance, message.toolCalls, result);
  const results = message.toolCalls.map(({ id }) => ({ callId: id, result }));
  messages.push({ role: 'tool', results });
  noteResults(instance, { merged: [] });
  append(instance, appended);
  const name = `Agent '${spec.card.name}'`;
  if (!isCut) {
    const next = 'Change what it is asked, or choose another model.';
    return { code: 'answer_withheld', message: `${name} got no whole answer: its provider withheld it. ${next}` };
  }
  if (!cutBefore) return undefined;
  const next = "Raise 'max_tokens' in the card's request_params, or give the agent a smaller task.";
  return {
    code: 'answer_cut',
    message: `${name}: tool calls were cut at the limit of output tokens twice in a row. ${next}`,
  };
}
