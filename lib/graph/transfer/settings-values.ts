import { canonicalJson } from '@/lib/base/canonical-json';
import { isJson, type Json } from '@/lib/base/json';
import type { YamlEdits } from '@/lib/cards/edit/yaml-batch';
import type { Path } from '@/lib/cards/yaml/yaml-source';

/** Values of `callboard.yaml` as they are written, where they may be of any type. */

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list, or a single text. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return listOf(value).filter((item) => typeof item === 'string');
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || (isJson(a) && isJson(b) && canonicalJson(a) === canonicalJson(b));
}

/** Appends what a list does not have. Makes the list if there is none. */
export function append(draft: YamlEdits, file: string, path: Path, values: readonly Json[]): void {
  const own = draft.read(file, path);
  const list = listOf(own);
  const added = values.filter((value) => typeof value !== 'string' || !list.includes(value));
  if (added.length === 0) return;
  if (own === undefined || own === null) draft.yaml(file, { op: 'set', path, value: [...added] });
  else
    for (const [index, value] of added.entries())
      draft.yaml(file, { op: 'insert', path, index: list.length + index, value });
}
