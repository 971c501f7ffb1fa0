import type { Json, JsonObject } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { parseAnswer } from '@/lib/runtime/delegation/child-output';
import type { StopReason } from '@/lib/runtime/record/messages';

/** The reason why an answer is not accepted. Only an answer that is `answer_invalid` can be better the second time. */
export interface Misfit {
  readonly code: 'answer_invalid' | 'answer_cut' | 'answer_withheld';
  /** A clause about the answer: `it is not JSON`. */
  readonly reason: string;
}

/** Reads an answer that must fit a JSON schema. */
export function readAnswer(schema: JsonObject, text: string, stopReason: StopReason): Result<Json, Misfit> {
  if (stopReason === 'safety')
    return err({ code: 'answer_withheld', reason: 'the provider withheld it or a part of it' });
  const parsed = parseAnswer(schema, text);
  // A cut object is no JSON. Some models complete an object and then write blanks up to the limit.
  const isWhole = stopReason !== 'max_tokens' || (parsed.ok && typeof parsed.value === 'object');
  if (!isWhole) return err({ code: 'answer_cut', reason: 'it was cut at the limit of output tokens' });
  return parsed.ok ? ok(parsed.value) : err({ code: 'answer_invalid', reason: parsed.error });
}
