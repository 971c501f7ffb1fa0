/**
 * `work`, done once for each key and remembered while the key lives. For keys that never change, and work whose outcome
 * depends on nothing else.
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
