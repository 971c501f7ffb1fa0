/**
 * Returns the name that a misspelt word probably means, which is the nearest one at a distance of one or two typing errors.
 * Returns `undefined` for a word of fewer than four letters, for a word that is a name itself, and when no name is near.
 */
export function nearName(word: string, names: Iterable<string>): string | undefined {
  if (word.length < 4 || word.length > 64) return undefined;
  let best: string | undefined;
  let least = word.length < 6 ? 1 : 2;
  for (const name of names) {
    if (name === word) return undefined;
    if (Math.abs(name.length - word.length) > least) continue;
    const distance = slips(word.toLowerCase(), name.toLowerCase());
    if (distance > least || (distance === least && best !== undefined)) continue;
    best = name;
    least = distance;
  }
  return best;
}

/** Returns the edit distance: letters inserted, deleted, replaced or swapped (optimal string alignment). */
function slips(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
