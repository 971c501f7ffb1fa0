/**
 * Returns the items whose text has every word of the query, best first: those that begin with the query, then those with a
 * word that begins with it, then the others in their order. Without a query, all in their order. At most `limit` items.
 */
export function rankByWords<T>(items: Iterable<T>, textOf: (item: T) => string, query: string, limit: number): T[] {
  const wanted = query.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const ranks: T[][] = [[], [], []];
  for (const item of items) {
    const text = textOf(item).toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const rank = text.startsWith(wanted) ? 0 : startsWord(text, wanted) ? 1 : 2;
    ranks[rank]?.push(item);
    if (wanted === '' && (ranks[0]?.length ?? 0) >= limit) break;
  }
  return ranks.flat().slice(0, limit);
}

function startsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}
