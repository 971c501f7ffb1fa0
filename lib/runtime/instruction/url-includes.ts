import { err, ok, type Result } from '@/lib/base/result';
import { urlPlaceholder } from '@/lib/cards/url-placeholder';

/*
 * What stands for `{{url:…}}` in instructions.
 *
 *   card ─ {{url:A}} ─▶ text of A ─ {{url:B}} ─▶ text of B …      at most 10 texts deep
 */

/** The limit that fast-agent has for cards that come from an address. */
export const maxIncludeDepth = 10;
/** Limits one text with everything it includes, in UTF-16 units, because a text may name another one many times. */
const maxIncludedLength = 1024 * 1024;

/**
 * Returns each address with its text, in which the addresses it names are filled in. Every other placeholder stays as it
 * was. An error is written as the end of a sentence about the address.
 */
export function expandIncludes(
  texts: ReadonlyMap<string, string>,
): Result<ReadonlyMap<string, string>, { url: string; reason: string }> {
  const done = new Map<string, { readonly text: string; readonly height: number }>();
  const open = new Set<string>();

  function expand(url: string): { readonly text: string; readonly height: number } {
    const known = done.get(url);
    if (known) return known;
    if (open.has(url)) throw new Fault(url, 'it includes itself');
    open.add(url);
    let height = 1;
    let length = 0;
    const text = (texts.get(url) ?? '').replace(urlPlaceholder, (whole, backslash: string, inner: string) => {
      if (backslash !== '') return whole;
      const included = expand(inner);
      height = Math.max(height, included.height + 1);
      length += included.text.length;
      if (length > maxIncludedLength) throw new Fault(url, 'it is too long with all that it includes');
      return included.text;
    });
    if (height > maxIncludeDepth) throw new Fault(url, tooDeep);
    open.delete(url);
    const expanded = { text, height };
    done.set(url, expanded);
    return expanded;
  }

  try {
    for (const url of texts.keys()) expand(url);
  } catch (error) {
    if (error instanceof Fault) return err({ url: error.url, reason: error.message });
    throw error;
  }
  return ok(new Map([...done].map(([url, { text }]) => [url, text])));
}

export const tooDeep = `it includes texts more than ${maxIncludeDepth} deep`;

class Fault extends Error {
  constructor(
    readonly url: string,
    reason: string,
  ) {
    super(reason);
  }
}
