/**
 * Text as it can be sent: half a surrogate pair, which models write now and then and a cut may leave, becomes U+FFFD. A page
 * needs it on both sides, for HTML is UTF-8 and turns it into U+FFFD by itself while the data beside it does not.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The first `limit` UTF-16 units, or one less where that would cut a character in two. */
export function cutText(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  const cutsPair = text.length > limit && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, cutsPair ? limit - 1 : limit);
}
