import { isRecord } from '@/lib/base/json';

/** Returns `next` with the values of `previous` where they are equal, so that only real changes have another identity. */
export function keepEqualValues<V>(
  next: ReadonlyMap<string, V>,
  previous: ReadonlyMap<string, V> | undefined,
): ReadonlyMap<string, V> {
  if (previous === undefined) return next;
  return new Map(
    [...next].map(([key, value]) => {
      const same = previous.get(key);
      return [key, same !== undefined && equalValue(same, value) ? same : value] as const;
    }),
  );
}

/** Does the same for a list of items with ids. A list without a change stays the same list. */
export function keepEqual<T extends { readonly id: string }>(next: readonly T[], previous: readonly T[]): readonly T[] {
  const old = new Map(previous.map((item) => [item.id, item]));
  const merged = next.map((item) => {
    const same = old.get(item.id);
    return same !== undefined && equalValue(same, item) ? same : item;
  });
  const unchanged = merged.length === previous.length && merged.every((item, index) => item === previous[index]);
  return unchanged ? previous : merged;
}

/** True if plain data of the graph is equal: values, and objects and lists of them. */
function equalValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => equalValue(item, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const key in a) if (!equalValue(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && b[key] !== undefined) return false;
  return true;
}
