import { type Hider, hiderOf } from './hider';
import { isRecord } from './json';

/** Replaces each hidden value by `***` in all texts of a value, keys included. Changes only texts, so the shape stays. */
export function hideValues<T>(value: T, hidden: readonly string[]): T {
  return hidden.length === 0 ? value : (redactValue(value, hiderOf(hidden)) as T);
}

/** Returns the same object if it holds no secret, so that most events are not copied. */
function redactValue(value: unknown, hider: Hider): unknown {
  if (typeof value === 'string') return hider.hide(value);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [index, item] of value.entries()) {
      const clean = redactValue(item, hider);
      if (clean !== item) copy ??= [...value];
      if (copy !== undefined) copy[index] = clean;
    }
    return copy ?? value;
  }
  if (!isRecord(value)) return value;
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const entry: [string, unknown] = [hider.hide(key), redactValue(value[key], hider)];
    changed ||= entry[0] !== key || entry[1] !== value[key];
    entries.push(entry);
  }
  return changed ? Object.fromEntries(entries) : value;
}
