import type { StopReason } from '@/lib/runtime/record/messages';
import { type Fault, fault } from './openai-errors';

/** What is known of an answer when its stream or its JSON is over. */
export interface AnswerSoFar {
  /** The last `finish_reason` that is not empty. */
  readonly reason: string | undefined;
  /** The reason in the words of the provider behind a gateway, if the gateway tells it (`native_finish_reason`). */
  readonly nativeReason: string | undefined;
  readonly hasCalls: boolean;
  readonly hasText: boolean;
  /** True if the model wrote a refusal. */
  readonly refused: boolean;
  /** True if text, reasoning or a call was received. Such an answer is not asked for again, because people have seen it. */
  readonly received: boolean;
}

/**
 * The words for an end that is known, in lower case. The first of each are OpenAI's; the others are those of Anthropic, Google,
 * Cohere, Mistral and old servers for Hugging Face models, which gateways pass on.
 */
const knownEnds: ReadonlyMap<string, 'whole' | 'cut' | 'withheld'> = new Map([
  ...['stop', 'tool_calls', 'function_call', 'tool_use', 'tool_call', 'end_turn', 'stop_sequence', 'complete'].map(
    (word) => [word, 'whole'] as const,
  ),
  ...['eos', 'eos_token'].map((word) => [word, 'whole'] as const),
  ...['length', 'max_tokens', 'model_length', 'max_output_tokens'].map((word) => [word, 'cut'] as const),
  ['content_filter', 'withheld'],
]);

const withheldWords =
  /^(?:safety|recitation|prohibited_content|blocklist|spii|image_safety|language|sensitive|refusal)$/;
const overflowWords = /context_window_exceeded|context_length/;
const malformedWords = /malformed|unexpected_tool_call|function_call_filter|too_many_tool_calls/;
const failureWords = /error|insufficient|abort|cancel|timeout|overload|unavailable/;

/**
 * Returns why an answer stopped. The end of an answer is good only if its word is known: every other is a fault, because a half
 * answer would be taken for a whole one.
 */
export function endOf(answer: AnswerSoFar): StopReason | Fault {
  const { reason, hasCalls, hasText, refused, received } = answer;
  const word = reason === undefined ? '' : wordOf(reason);
  const isMalformed = malformedWords.test(word) || malformedWords.test(wordOf(answer.nativeReason ?? ''));
  if (isMalformed && !hasCalls) {
    const said = `The model made a tool call that its provider could not read (${quoted(answer.nativeReason ?? word)}).`;
    return fault('model_bad_response', said, !received);
  }
  switch (knownEnds.get(word)) {
    case 'whole':
      if (refused) return 'safety';
      if (hasCalls) return 'tool_use';
      if (!/call|tool/.test(word)) return 'end_turn';
      if (hasText) return 'tool_use';
      return fault('model_bad_response', 'The model stopped for tool calls, but its answer has none.', !received);
    case 'cut':
      return 'max_tokens';
    case 'withheld':
      return 'safety';
    default:
      return reason === undefined ? withoutReason(received) : unknownEnd(reason, word, received);
  }
}

function withoutReason(received: boolean): Fault {
  const said = received
    ? "The model's answer broke off before its end: its server did not say why it ended."
    : 'The model ended the stream without an answer.';
  return fault('model_stream_ended', said, !received);
}

function unknownEnd(reason: string, word: string, received: boolean): Fault {
  const ended = `finish_reason ${quoted(reason)}`;
  if (withheldWords.test(word))
    return fault('answer_withheld', `The provider withheld the answer or a part of it (${ended}).`, false);
  if (overflowWords.test(word)) {
    const next = 'Shorten the input, or choose a model with a larger context.';
    return fault(
      'model_context_overflow',
      `The conversation does not fit the model's context (${ended}). ${next}`,
      false,
    );
  }
  if (failureWords.test(word))
    return fault('model_stream_ended', `The model's answer broke off before its end (${ended}).`, !received);
  const said = `The model's server ended its answer in a way that Callboard does not know (${ended}), so the answer may not be whole.`;
  return fault('model_bad_response', said, !received);
}

function wordOf(reason: string): string {
  return reason.trim().toLowerCase().replace(/[ -]/g, '_');
}

function quoted(reason: string): string {
  return `'${reason.length <= 80 ? reason : `${reason.slice(0, 80)}…`}'`;
}
