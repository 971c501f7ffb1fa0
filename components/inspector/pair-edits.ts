import { isRecord } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { FieldPath } from './field-kinds';

export type Pair = readonly [name: string, value: string];

/** Returns names with their values as texts. A value of another form counts as no pairs. */
export function pairsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
  );
}

/**
 * Returns the edits that make a mapping of names to texts hold these pairs. With as many entries as before, an entry with
 * another name is one that was renamed, so its place and its comment stay.
 */
export function pairEdits(path: FieldPath, value: unknown, pairs: readonly Pair[]): readonly YamlEdit[] {
  if (pairs.length === 0) return [{ op: 'remove', path }];
  if (!isRecord(value)) return [{ op: 'set', path, value: Object.fromEntries(pairs) }];
  const was = pairsIn(value);
  const names = Object.keys(was);
  const wanted = new Set(pairs.map(([name]) => name));
  const gone = names.filter((name) => !wanted.has(name));
  const isRename = names.length === pairs.length;
  const renamed = new Map<string, string>();
  const moves = gone.map((name): YamlEdit => {
    const key = isRename ? pairs[names.indexOf(name)]?.[0] : undefined;
    if (key === undefined || Object.hasOwn(was, key)) return { op: 'remove', path: [...path, name] };
    renamed.set(key, was[name] ?? '');
    return { op: 'rename', path: [...path, name], key };
  });
  const sets = pairs.flatMap(([name, text]): YamlEdit[] => {
    const before = renamed.get(name) ?? (Object.hasOwn(was, name) ? was[name] : undefined);
    return before === text ? [] : [{ op: 'set', path: [...path, name], value: text }];
  });
  return [...moves, ...sets];
}
