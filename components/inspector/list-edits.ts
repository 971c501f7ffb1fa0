import type { Json } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { FieldPath } from './field-kinds';

/** Edits of a list in a card. A card may hold a single value in place of a list of one; it becomes a list when it grows. */

export function addEdit(path: FieldPath, value: unknown, entry: Json): YamlEdit {
  if (value === undefined || value === null || Array.isArray(value)) {
    return { op: 'insert', path, index: Array.isArray(value) ? value.length : 0, value: entry };
  }
  return { op: 'set', path, value: [value as Json, entry] };
}

/** `keepsEmpty` is for a list that must stay, and for one whose absence means something else than an empty list. */
export function removeEdit(path: FieldPath, value: unknown, index: number, keepsEmpty: boolean): YamlEdit {
  if (!Array.isArray(value)) return keepsEmpty ? { op: 'set', path, value: [] } : { op: 'remove', path };
  return { op: 'remove', path: value.length > 1 || keepsEmpty ? [...path, index] : path };
}

export function moveEdit(path: FieldPath, from: number, to: number): YamlEdit {
  return { op: 'move', path, from, to };
}
