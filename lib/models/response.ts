import type { ModelResponse } from '@/lib/runtime/ports';
import type { ContentBlock, Usage } from '@/lib/runtime/record/messages';
import { noUsage } from '@/lib/runtime/record/messages';

/** Makes the response of a model call that ended without an answer. */
export function failed(code: string, message: string, requests = 0, usage: Usage = noUsage): ModelResponse {
  return { ok: false, error: { code, message }, usage, requests };
}

/** Makes the response of a model call that its caller aborted. */
export function cancelled(requests = 0): ModelResponse {
  return failed('cancelled', 'The model call was cancelled.', requests);
}

/** Makes content from text. Empty text becomes empty content, because providers reject empty text parts. */
export function textContent(text: string): readonly ContentBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
