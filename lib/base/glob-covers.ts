import { globMatch } from './fnmatch';

/** A run of any characters, or one character: this one, any one, or one of a class such as `[a-z]`. */
type Part = '*' | { readonly one: string };

/**
 * True if `wide` takes every name that `narrow` takes, so that a filter with `wide` is not narrower. Both are patterns of `*` and `?`,
 * with classes such as `[a-z]` if `hasClasses` is true. It may be false for patterns that are written in very different ways.
 */
export function globCovers(wide: string, narrow: string, hasClasses: boolean): boolean {
  if (wide === narrow) return true;
  const [all, some] = [partsOf(wide, hasClasses), partsOf(narrow, hasClasses)];
  // reached[j]: the parts of `wide` so far cover the first j parts of `narrow`.
  let reached = [true, ...some.map(() => false)];
  for (const part of all) {
    const next = reached.map(() => false);
    for (let j = 0; j <= some.length; j += 1) {
      if (part === '*') next[j] = reached[j] === true || (j > 0 && next[j - 1] === true);
      else next[j] = j > 0 && reached[j - 1] === true && coversOne(part, some[j - 1]);
    }
    reached = next;
  }
  return reached[some.length] === true;
}

function coversOne({ one }: { readonly one: string }, narrow: Part | undefined): boolean {
  if (narrow === undefined || narrow === '*') return false;
  if (one === '?' || one === narrow.one) return true;
  return one.length > 1 && narrow.one.length === 1 && narrow.one !== '?' && globMatch(one, narrow.one);
}

function partsOf(pattern: string, hasClasses: boolean): Part[] {
  const shape = hasClasses ? /\*+|\[!?\]?[^\]]*\]|[\s\S]/gu : /\*+|[\s\S]/gu;
  return [...pattern.matchAll(shape)].map(([text]): Part => (text.startsWith('*') ? '*' : { one: text }));
}
