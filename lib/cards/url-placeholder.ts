/**
 * Matches `{{url:…}}` in instructions and in texts that they include. Only `http`, `https` and `hf` addresses are
 * placeholders, as in fast-agent; other text and `\{{url:…}}` stay as written. The groups are the backslash and the
 * address.
 */
export const urlPlaceholder = /(\\?)\{\{url:((?:https?|hf):\/\/[^{}]+)\}\}/g;

/** Returns the addresses in a text, in order, with repetitions. */
export function urlsOf(text: string): readonly string[] {
  if (!text.includes('{{url:')) return [];
  return [...text.matchAll(urlPlaceholder)].flatMap(([, backslash, url = '']) => (backslash === '' ? [url] : []));
}
