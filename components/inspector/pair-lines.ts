type Pairs = Readonly<Record<string, string>>;

/** Variables are written `NAME=value`, and headers `Name: value`. */
export type PairSeparator = '=' | ':';

/** Writes one pair per line. */
export function printPairs(pairs: Pairs, separator: PairSeparator): string {
  const between = separator === ':' ? ': ' : '=';
  return Object.entries(pairs)
    .map(([name, value]) => name + between + value)
    .join('\n');
}

/** Returns a sentence about the first line that is not a pair, or `undefined` if there is none. Blank lines are ignored. */
export function pairFault(text: string, separator: PairSeparator): string | undefined {
  const line = linesOf(text).find((each) => each.indexOf(separator) < 1);
  if (line === undefined) return undefined;
  return `'${line}' is not a pair. Write ${separator === ':' ? 'Name: value' : 'NAME=value'}.`;
}

/**
 * Returns the pairs of text without a fault, or `undefined` if there are none. Of two values with one name the later one
 * counts.
 */
export function parsePairs(text: string, separator: PairSeparator): Pairs | undefined {
  const pairs = linesOf(text).map((line) => {
    const at = line.indexOf(separator);
    const value = line.slice(at + 1);
    return [line.slice(0, at).trim(), separator === ':' ? value.trim() : value] as const;
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
