/** Texts with fewer lines than this are compared as a whole, because short texts are often alike by chance. */
const fewLines = 3;
const alike = 0.6;

/** True if most lines of two texts are the same. */
export function isSimilar(one: string, other: string): boolean {
  return similarity(one, other) >= alike;
}

/** Returns the part of the lines that two texts have in common, from 0 to 1. */
export function similarity(one: string, other: string): number {
  return likeness(readText(one), readText(other));
}

interface ReadText {
  readonly whole: string;
  readonly lines: readonly string[];
}

function readText(text: string): ReadText {
  return { whole: text.trim(), lines: linesOf(text) };
}

function likeness(one: ReadText, other: ReadText): number {
  const [a, b] = [one.lines, other.lines];
  if (a.length === 0 || b.length === 0) return 0;
  if (one.whole === other.whole) return 1;
  if (Math.min(a.length, b.length) < fewLines) return 0;
  return (2 * (a.length - countMissing(a, b))) / (a.length + b.length);
}

/** With more pairs than this, only equal texts are found. */
const mostPairs = 40_000;

/** Pairs texts that are alike, the most similar first. */
export function pairSimilar(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const [old, now] = [before, after].map((texts) => [...texts].map(([path, text]) => [path, readText(text)] as const));
  const isMuch = before.size * after.size > mostPairs;
  const byText = new Map((now ?? []).map(([path, { whole }]) => [whole, path]));
  const pairs = (old ?? []).flatMap(([from, text]) => {
    const equal = byText.get(text.whole);
    if (isMuch) return equal === undefined || text.lines.length === 0 ? [] : [{ from, to: equal, score: 1 }];
    return (now ?? []).map(([to, other]) => ({ from, to, score: likeness(text, other) }));
  });
  const [used, found] = [new Set<string>(), new Map<string, string>()];
  for (const { from, to, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (score < alike || found.has(from) || used.has(to)) continue;
    found.set(from, to);
    used.add(to);
  }
  return found;
}

/** Counts lines that came and went, without regard to their order. */
export function lineCounts(before: string, after: string): { readonly added: number; readonly removed: number } {
  const [a, b] = [linesWhole(before), linesWhole(after)];
  return { added: countMissing(b, a), removed: countMissing(a, b) };
}

function linesWhole(text: string): readonly string[] {
  return text === '' ? [] : text.split(/\r?\n/);
}

/** Returns how many lines of `a` are not in `b`. */
function countMissing(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of b) left.set(line, (left.get(line) ?? 0) + 1);
  let missing = 0;
  for (const line of a) {
    const count = left.get(line) ?? 0;
    if (count === 0) missing += 1;
    else left.set(line, count - 1);
  }
  return missing;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^-{3}$|^name:/.test(line));
}
