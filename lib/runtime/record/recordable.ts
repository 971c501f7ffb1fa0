import { withDigits } from '@/lib/base/exact-json';
import type { Json } from '@/lib/base/json';
import { redactJson, redactText, secretKeys } from '@/lib/base/redact';
import type { Settings } from '@/lib/cards/settings';

/** Makes the recorded form of a value that is only shown, such as a call's arguments. */
export type Recordable = (value: Json) => Json;

const defaultMaxBytes = 64 * 1024;
const encoder = new TextEncoder();

/**
 * Removes secrets and cuts long values. It is only for values that are shown. What a resumed run reads again (a model's
 * message, a result, a state) is recorded unchanged.
 */
export function recordableBy({ recording }: Pick<Settings, 'recording'>): Recordable {
  const isSecret = secretKeys(recording.redact_keys);
  const maxBytes = recording.max_payload_bytes ?? defaultMaxBytes;
  return (value) => {
    const clean = typeof value === 'string' ? redactText(value, isSecret) : withDigits(redactJson(value, isSecret));
    // A UTF-16 unit takes at most three bytes, so for most values the length alone proves that they fit.
    const text = typeof clean === 'string' ? clean : JSON.stringify(clean);
    if (text.length * 3 <= maxBytes) return clean;
    const bytes = encoder.encode(text).length;
    if (bytes <= maxBytes) return clean;
    const { read, written } = encoder.encodeInto(text.slice(0, maxBytes), new Uint8Array(maxBytes));
    return `${text.slice(0, read)}[cut: first ${written} of ${bytes} bytes]`;
  };
}
