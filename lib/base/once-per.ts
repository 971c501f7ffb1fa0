/**
 * Memoises `work` by key, for as long as the key exists. The key must be immutable, and the result must depend on the key only.
 */
export function oncePer<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const done = new WeakMap<K, { readonly value: V }>();
  return (key) => {
    const known = done.get(key);
    if (known) return known.value;
    const value = work(key);
    done.set(key, { value });
    return value;
  };
}
