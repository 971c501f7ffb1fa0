import type { Instance } from '@/lib/runtime/instance/instance';
import type { AssistantMessage, StopReason } from '@/lib/runtime/record/messages';

/** Logs that an answer was not accepted, so that the next model call has its reason in the record. */
export function noteRepair({ run, spec, modelCalls }: Instance, reason: string): void {
  const what = `Agent '${spec.card.name}': the answer of its model call ${modelCalls} was not accepted: ${reason}.`;
  run.log({ level: 'info', code: 'answer_asked_again', message: `${what} The model is asked once more.` }, spec.path);
}

interface OddEnd {
  readonly code: string;
  readonly message: string;
}

const oddEnds: Readonly<Partial<Record<StopReason, OddEnd>>> = {
  tool_use: { code: 'no_tool_calls', message: 'the model stopped for tool calls but asked for none.' },
  max_tokens: { code: 'answer_cut', message: 'the answer was cut at the limit of output tokens.' },
  safety: { code: 'answer_withheld', message: 'the provider withheld the answer or a part of it.' },
};

/** Logs a warning if the last answer of an instance did not end as an answer should, or has no words. */
export function noteOddEnd({ run, spec }: Instance, message: AssistantMessage): void {
  const odd = oddEnds[message.stopReason] ?? silence(message);
  if (odd)
    run.log({ level: 'warning', code: odd.code, message: `Agent '${spec.card.name}': ${odd.message}` }, spec.path);
}

/** White space alone counts as no words. */
function silence({ content, reasoning }: AssistantMessage): OddEnd | undefined {
  if (content.some((block) => block.type !== 'text' || block.text.trim() !== '')) return undefined;
  const wrote = reasoning === undefined ? 'ended without an answer' : 'wrote its reasoning but no answer';
  return { code: 'answer_empty', message: `the model ${wrote}.` };
}
