/**
 * Matches a name like Python's `fnmatch`, with which fast-agent filters tool names: `*`, `?`, `[abc]`, `[a-z]`, `[!abc]`.
 * It is case-sensitive, and a `[` without `]` is a plain character. It backtracks to the last `*` only, so its time is at
 * most proportional to the product of both lengths.
 */
export function globMatch(pattern: string, name: string): boolean {
  return fits(compiled.get(pattern) ?? compile(pattern), [...name]);
}

type Part = '*' | ((char: string) => boolean);

/** So many characters of patterns are kept compiled. Each takes about 100 bytes. */
const mostChars = 20_000;
const compiled = new Map<string, readonly Part[]>();
let keptChars = 0;

function compile(pattern: string): readonly Part[] {
  const parts = partsOf([...pattern]);
  const chars = pattern.length + 1;
  if (chars > mostChars) return parts;
  if (keptChars + chars > mostChars) {
    compiled.clear();
    keptChars = 0;
  }
  compiled.set(pattern, parts);
  keptChars += chars;
  return parts;
}

function fits(parts: readonly Part[], chars: readonly string[]): boolean {
  let [part, char] = [0, 0];
  let [star, resume] = [-1, 0];
  while (char < chars.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      star = part;
      resume = char;
      part += 1;
    } else if (wanted?.(chars[char] ?? '')) {
      part += 1;
      char += 1;
    } else if (star !== -1) {
      resume += 1;
      char = resume;
      part = star + 1;
    } else return false;
  }
  while (parts[part] === '*') part += 1;
  return part === parts.length;
}

function partsOf(pattern: readonly string[]): Part[] {
  const parts: Part[] = [];
  /** The position of the next `]`. It is kept, so that one search serves all `[` before it. */
  let close = -1;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    if (char === '*') {
      if (parts.at(-1) !== '*') parts.push('*');
    } else if (char === '?') parts.push(() => true);
    else if (char === '[') {
      // A `]` directly after `[` or `[!` is a member of the class.
      const from = pattern[at + 1] === '!' ? at + 2 : at + 1;
      if (close <= from && close !== pattern.length) close = indexFrom(pattern, ']', from + 1);
      if (close === pattern.length) parts.push((other) => other === '[');
      else {
        parts.push(classOf(pattern.slice(from, close), from === at + 2));
        at = close;
      }
    } else parts.push((other) => other === char);
  }
  return parts;
}

/** Returns the position of `char`, or the length of the pattern when it does not occur. */
function indexFrom(pattern: readonly string[], char: string, from: number): number {
  const found = pattern.indexOf(char, from);
  return found === -1 ? pattern.length : found;
}

/** Returns the characters of a class. A reversed range (`z-a`) is empty, as in Python. */
function classOf(members: readonly string[], isNegated: boolean): (char: string) => boolean {
  const single = new Set<string>();
  const ranges: { readonly low: number; readonly high: number }[] = [];
  for (let at = 0; at < members.length; at += 1) {
    const [first = '', sign, last] = members.slice(at, at + 3);
    if (sign === '-' && last !== undefined) {
      ranges.push({ low: first.codePointAt(0) ?? 0, high: last.codePointAt(0) ?? 0 });
      at += 2;
    } else single.add(first);
  }
  return (char) => {
    const code = char.codePointAt(0) ?? 0;
    const isMember = single.has(char) || ranges.some(({ low, high }) => low <= code && code <= high);
    return isMember !== isNegated;
  };
}
