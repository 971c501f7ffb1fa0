/**
 * Replaces half a surrogate pair, which a model may write and truncation may leave, with U+FFFD. Without this, the HTML of
 * a page, which is UTF-8, and its data would differ.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Returns the first `limit` UTF-16 units, or one less when the last one would be half a character. */
export function cutText(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  const cutsPair = text.length > limit && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, cutsPair ? limit - 1 : limit);
}
