/**
 * `{{url:…}}` in instructions and in what they include. fast-agent knows `http`, `https` and `hf`; anything else after `url:`
 * is no placeholder and stays as written, as does `\{{url:…}}`. Groups: the backslash, the address.
 */
export const urlPlaceholder = /(\\?)\{\{url:((?:https?|hf):\/\/[^{}]+)\}\}/g;

/** The addresses a text names, in order, each as often as it is named. */
export function urlsOf(text: string): readonly string[] {
  if (!text.includes('{{url:')) return [];
  return [...text.matchAll(urlPlaceholder)].flatMap(([, backslash, url = '']) => (backslash === '' ? [url] : []));
}
