import type { InstancePath, StepKey } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import type { Message } from './messages';

/**
 * What a model call was asked, as `model.started` records it. What another event of the log has already is named, not
 * repeated, so a conversation of a hundred calls is recorded once and not a hundred times. `lib/trace/model-request.ts` puts
 * the request together again.
 */
export interface RecordedRequest {
  /** The system text, or the step of an earlier call of the run that recorded the same text. */
  readonly instruction: string | SameAs;
  /** The tools as they were offered, in order, or the step of an earlier call of the run that recorded the same list. */
  readonly tools: readonly RecordedTool[] | SameAs;
  /** The conversation begins with the first `count` messages of the call of `step`. */
  readonly kept?: { readonly step: StepKey; readonly count: number };
  /** The messages after those. */
  readonly added: readonly RecordedMessage[];
  /** The card's parameters with the changes of hooks; absent if there are none. */
  readonly params?: JsonObject;
  /** The form that the answer must have. */
  readonly format?: { readonly name: string; readonly schema: JsonObject };
}

export interface SameAs {
  readonly sameAs: StepKey;
}

export interface RecordedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type RecordedMessage =
  /** A message that no other event has. */
  | { readonly message: Message }
  /** The user message with the input of this instance. */
  | { readonly input: InstancePath }
  /** The answer of this model call. */
  | { readonly answer: StepKey }
  /** The results of `count` consecutive tool calls, of which this step is the first. */
  | { readonly results: StepKey; readonly count: number };

export function isSameAs(value: unknown): value is SameAs {
  return typeof value === 'object' && value !== null && 'sameAs' in value;
}
