import { isRecord, type Json } from '@/lib/base/json';

/** One place that differs. `path` is empty for the whole value. */
export interface JsonChange {
  readonly path: string;
  /** `undefined` if the value was added. */
  readonly before: Json | undefined;
  /** `undefined` if the value was removed. */
  readonly after: Json | undefined;
}

/**
 * Lists where two JSON values differ, such as `options.limit` or `content[0].text`. It goes as deep as both are objects or
 * arrays. Members have the order of the first value; members that only the second has come last.
 */
export function jsonChanges(before: Json | undefined, after: Json | undefined): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  compare('', before, after, changes);
  return changes;
}

function compare(path: string, before: Json | undefined, after: Json | undefined, out: JsonChange[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const count = Math.max(before.length, after.length);
    for (let i = 0; i < count; i++) compare(`${path}[${i}]`, before[i], after[i], out);
    return;
  }
  if (isObject(before) && isObject(after)) {
    const keys = [...Object.keys(before), ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))];
    for (const key of keys) compare(path === '' ? key : `${path}.${key}`, own(before, key), own(after, key), out);
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) out.push({ path, before, after });
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return isRecord(value) && !Array.isArray(value);
}

function own(value: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
