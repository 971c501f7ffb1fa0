import { type Json, parseJson } from '@/lib/base/json';

/** Returns the text of a part. JSON is indented, also if it is in a text. */
export function payloadText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  const looksLikeJson = /^\s*[[{]/.test(value);
  const parsed = looksLikeJson && value.length < 1_000_000 ? parseJson(value) : undefined;
  return parsed === undefined ? value : JSON.stringify(parsed, null, 2);
}
