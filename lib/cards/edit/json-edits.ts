import { isRecord, type Json } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/**
 * Returns the edits that turn the value at a path into another one. Only keys of mappings that differ are edited, so that
 * comments and the order of the others stay. Lists are replaced as a whole. `undefined` means that there is no value.
 */
export function jsonEdits(path: Path, before: unknown, after: Json | undefined): readonly YamlEdit[] {
  if (after === undefined) return before === undefined ? [] : [{ op: 'remove', path }];
  if (!isRecord(before) || !isRecord(after) || Object.keys(before).length === 0 || Object.keys(after).length === 0) {
    return same(before, after) ? [] : [{ op: 'set', path, value: after }];
  }
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key): YamlEdit => ({ op: 'remove', path: [...path, key] }));
  const set = Object.entries(after).flatMap(([key, value]) =>
    jsonEdits([...path, key], Object.hasOwn(before, key) ? before[key] : undefined, value as Json),
  );
  // What is new is written first, because removing the last key would remove the mapping.
  return [...set, ...removed];
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
