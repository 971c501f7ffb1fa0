import { isRecord } from '@/lib/base/json';
import { fieldOf } from '@/lib/cards/read/read-field';
import { connectionKeys } from './connection-keys';
import type { CardField, FieldPath } from './field-kinds';
import { writtenPath } from './field-values';
import { groupFields } from './group-fields';
import { propertyPaths } from './schema-edits';
import { connectionFields } from './server-fields';

/** Returns the places in a file where the controls of some fields show a value: their own, and those inside them. */
export function fieldPaths(document: unknown, fields: readonly CardField[]): readonly FieldPath[] {
  return fields.flatMap((field) => {
    const { path } = field;
    const value = fieldOf(document, writtenPath(document, path));
    return [path, ...innerPaths(field, value)];
  });
}

function innerPaths({ kind, path }: CardField, value: unknown): readonly FieldPath[] {
  const keys = isRecord(value) ? Object.keys(value) : [];
  switch (kind) {
    case 'schema':
      return propertyPaths(path, value);
    case 'filter':
    case 'hooks':
      return keys.map((key) => [...path, key]);
    case 'connections':
      return connectionKeys(value).flatMap((key) => connectionFields.map((inner) => [...path, key, ...inner.path]));
    case 'groups':
      return keys.flatMap((key) => groupFields.map((inner) => [...path, key, ...inner.path]));
    default:
      return [];
  }
}
