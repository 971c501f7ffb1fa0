type Ends = '\n' | '\r\n' | 'mixed';

/**
 * Gives three texts the same line ends, so that a side that changed only these does not seem to have changed every line. The line ends are
 * those of the side that changed them. Texts that have both kinds stay as they are.
 */
export function withSameEnds(base: string, mine: string, theirs: string): readonly [string, string, string] {
  const [was, my, their] = [endsOf(base), endsOf(mine), endsOf(theirs)];
  const known = new Set([was, my, their].filter((ends) => ends !== undefined));
  if (known.size < 2 || known.has('mixed')) return [base, mine, theirs];
  // Without a text that both began from, nobody changed its line ends.
  const ends = was === undefined ? '\n' : my !== undefined && my !== was ? my : (their ?? was);
  return [withEnds(base, ends), withEnds(mine, ends), withEnds(theirs, ends)];
}

function withEnds(text: string, ends: string): string {
  return text.replaceAll(/\r?\n/g, ends);
}

/** Returns `undefined` for a text of one line without an end. */
function endsOf(text: string): Ends | undefined {
  const all = text.split('\n').length - 1;
  if (all === 0) return undefined;
  const pairs = text.split('\r\n').length - 1;
  return pairs === all ? '\r\n' : pairs === 0 ? '\n' : 'mixed';
}
