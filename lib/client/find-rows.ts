/** What a list is searched by: the name that people see, and other words for the same thing. */
export interface FoundBy {
  readonly name: string;
  readonly words: readonly string[];
}

export interface FoundRow<T> {
  readonly row: T;
  /** How well it fits, from 0: the query is its name. Rows of equal rank keep their order. */
  readonly rank: number;
}

/**
 * Returns the rows that have every word of the query in their name or their other words, best first, at most `limit`. Without a query, all in
 * their order.
 */
export function findRows<T extends FoundBy>(rows: Iterable<T>, query: string, limit: number): readonly FoundRow<T>[] {
  const wanted = query.trim().toLowerCase().replace(/\s+/g, ' ');
  const parts = wanted.split(' ');
  const found: FoundRow<T>[][] = [];
  let atOnce = 0;
  for (const row of rows) {
    const rank = rankOf(row, wanted, parts);
    if (rank === undefined) continue;
    found[rank] ??= [];
    found[rank].push({ row, rank });
    if (rank === 0 && ++atOnce >= limit) break;
  }
  return found.flat().slice(0, limit);
}

function rankOf({ name, words }: FoundBy, wanted: string, parts: readonly string[]): number | undefined {
  const own = name.toLowerCase();
  // Every name has an empty query, and three dots at its end are no part of it.
  if (wanted === '' || own === wanted || own === `${wanted}…`) return 0;
  if (own.startsWith(wanted)) return 1;
  const others = words.map((word) => word.toLowerCase());
  if (others.includes(wanted)) return 2;
  if (beginsWord(own, wanted)) return 3;
  if (others.some((word) => beginsWord(word, wanted))) return 4;
  const all = [own, ...others].join('\n');
  if (parts.every((part) => beginsWord(all, part))) return 5;
  return parts.every((part) => all.includes(part)) ? 6 : undefined;
}

/** True if a word of the text begins with `wanted`. */
function beginsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}
