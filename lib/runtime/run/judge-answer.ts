import { err, ok, type Result } from '@/lib/base/result';
import { invalidAnswer } from '@/lib/runtime/children/child-result';
import { hasPhase } from '@/lib/runtime/hooks/phase-hooks';
import { append } from '@/lib/runtime/hooks/turn-hooks';
import type { Instance } from '@/lib/runtime/instance/instance';
import { noteRepair } from '@/lib/runtime/model/odd-end';
import { readAnswer } from '@/lib/runtime/model/read-answer';
import type { RunError } from '@/lib/runtime/record/events';
import { type AssistantMessage, type Message, orNoResponse, textOf } from '@/lib/runtime/record/messages';
import { repairMessage } from '@/lib/runtime/record/repair-message';

/**
 * Judges the last text of a turn by the agent's `output_schema`. Returns why the model should answer again, or `undefined` if
 * it need not. The error is for an answer that was cut or withheld, because a second one would be no better. An agent with the
 * hook `after_turn_complete` is judged when it ends, because the hook may change the answer.
 */
export function judgeAnswer(
  instance: Instance,
  text: string,
  { stopReason }: AssistantMessage,
): Result<string | undefined, RunError> {
  const { spec } = instance;
  if (!spec.outputSchema || hasPhase(instance, 'after_turn_complete')) return ok(undefined);
  const answer = readAnswer(spec.outputSchema, orNoResponse(text), stopReason);
  if (answer.ok) return ok(undefined);
  const { code, reason } = answer.error;
  return code === 'answer_invalid' ? ok(reason) : err(invalidAnswer(spec, reason));
}

/** Adds what the model reads before it answers again: the messages of a hook, and the reason. */
export function requestRepair(instance: Instance, reason: string, appended: readonly Message[]): void {
  const { messages, turn } = instance;
  const last = messages.at(-1);
  // Providers refuse an empty message in the middle of a conversation.
  if (last?.role === 'assistant' && textOf(last.content).trim() === '') {
    messages[messages.length - 1] = { ...last, content: [{ type: 'text', text: orNoResponse('') }] };
  }
  const repair = repairMessage(reason);
  turn.said.push(repair);
  append(instance, [...appended, repair]);
  noteRepair(instance, reason);
}
