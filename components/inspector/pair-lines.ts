type Pairs = Readonly<Record<string, string>>;

/** `NAME=value` of variables, `Name: value` of headers. */
export type PairSeparator = '=' | ':';

/** One pair per line. */
export function printPairs(pairs: Pairs, separator: PairSeparator): string {
  const between = separator === ':' ? ': ' : '=';
  return Object.entries(pairs)
    .map(([name, value]) => name + between + value)
    .join('\n');
}

/** A sentence about the first line that is no pair; undefined if there is none. Blank lines are ignored. */
export function pairFault(text: string, separator: PairSeparator): string | undefined {
  const line = linesOf(text).find((each) => each.indexOf(separator) < 1);
  if (line === undefined) return undefined;
  return `'${line}' is no pair. Write ${separator === ':' ? 'Name: value' : 'NAME=value'}.`;
}

/** The pairs of text without a fault; `undefined` for none. Of two values with one name the later one counts. */
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
