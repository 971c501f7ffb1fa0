import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { YamlEdit } from '@/lib/cards/yaml/yaml-edit';
import type { FieldPath } from './field-kinds';

/**
 * Edits of a JSON schema by its builder. `at` is the place of an object schema in the file, `schema` its present value. The
 * builder shows the keys below and keeps all others, which the JSON view shows.
 */

export const schemaTypes = ['string', 'integer', 'number', 'boolean', 'object', 'array'] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** One property of an object schema, as the builder shows it. */
export interface SchemaProperty {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

export function propertiesOf(schema: unknown): readonly SchemaProperty[] {
  const properties = isRecord(schema) ? schema.properties : undefined;
  if (!isRecord(properties)) return [];
  const required = requiredOf(schema);
  return Object.entries(properties).map(([name, value]) => ({
    name,
    schema: isRecord(value) ? (value as JsonObject) : {},
    required: required.includes(name),
  }));
}

/** Returns the type of a schema, or `undefined` if it has none or several. */
export function typeOf(schema: unknown): SchemaType | undefined {
  const type = isRecord(schema) ? schema.type : undefined;
  return schemaTypes.find((known) => known === type);
}

function requiredOf(schema: unknown): readonly unknown[] {
  return isRecord(schema) && Array.isArray(schema.required) ? schema.required : [];
}

/** Adds a text property under a free name, and the schema around it if there is none. Returns the name with the edits. */
export function addProperty(
  at: FieldPath,
  schema: unknown,
): { readonly name: string; readonly edits: readonly YamlEdit[] } {
  const taken = new Set(propertiesOf(schema).map(({ name }) => name));
  let name = 'value';
  for (let n = 2; taken.has(name); n++) name = `value_${n}`;
  const property: Json = { type: 'string' };
  if (!isRecord(schema))
    return { name, edits: [{ op: 'set', path: at, value: { type: 'object', properties: { [name]: property } } }] };
  const type: readonly YamlEdit[] =
    schema.type === 'object' ? [] : [{ op: 'set', path: [...at, 'type'], value: 'object' }];
  return { name, edits: [...type, { op: 'set', path: [...at, 'properties', name], value: property }] };
}

/** Returns a sentence if a property cannot have this name. */
export function nameFault(schema: unknown, from: string, to: string): string | undefined {
  if (to === '') return 'Give the property a name.';
  if (to !== from && propertiesOf(schema).some(({ name }) => name === to))
    return `There is a property '${to}' already.`;
  return undefined;
}

/** Renames a property, also in the list of required ones. */
export function renameProperty(at: FieldPath, schema: unknown, from: string, to: string): readonly YamlEdit[] {
  if (from === to || nameFault(schema, from, to) !== undefined) return [];
  const index = requiredOf(schema).indexOf(from);
  return [
    { op: 'rename', path: [...at, 'properties', from], key: to },
    ...(index < 0 ? [] : [{ op: 'set', path: [...at, 'required', index], value: to } as const]),
  ];
}

/** Removes a property. `isRoot` says that a schema without properties goes as a whole. */
export function removeProperty(at: FieldPath, schema: unknown, name: string, isRoot: boolean): readonly YamlEdit[] {
  const others = propertiesOf(schema).filter((property) => property.name !== name);
  const known = ['type', 'properties', 'required'];
  const isPlain = isRecord(schema) && Object.keys(schema).every((key) => known.includes(key));
  if (isRoot && others.length === 0 && isPlain) return [{ op: 'remove', path: at }];
  return [...setRequired(at, schema, name, false), { op: 'remove', path: [...at, 'properties', name] }];
}

export function setRequired(at: FieldPath, schema: unknown, name: string, required: boolean): readonly YamlEdit[] {
  const list = requiredOf(schema);
  const index = list.indexOf(name);
  const path = [...at, 'required'];
  if (required) return index >= 0 ? [] : [{ op: 'insert', path, index: list.length, value: name }];
  if (index < 0) return [];
  return [{ op: 'remove', path: list.length === 1 ? path : [...path, index] }];
}

/** Sets the type of a schema, `undefined` for any. Keys of other types are removed, and so are words that no longer fit. */
export function setType(at: FieldPath, schema: unknown, type: SchemaType | undefined): readonly YamlEdit[] {
  const has = (key: string) => isRecord(schema) && Object.hasOwn(schema, key);
  const lost = typeKeys.filter(([key, owner]) => owner !== type && type !== undefined && has(key));
  return [
    type === undefined ? { op: 'remove', path: [...at, 'type'] } : { op: 'set', path: [...at, 'type'], value: type },
    ...lost.map(([key]): YamlEdit => ({ op: 'remove', path: [...at, key] })),
    ...(type === 'array' && !has('items')
      ? [{ op: 'set', path: [...at, 'items'], value: { type: 'string' } } as const]
      : []),
  ];
}

/** Keys that belong to one type. */
const typeKeys: readonly (readonly [key: string, type: SchemaType])[] = [
  ['enum', 'string'],
  ['properties', 'object'],
  ['required', 'object'],
  ['additionalProperties', 'object'],
  ['items', 'array'],
];

/** Returns the words of an `enum` as lines, or `undefined` if it holds something else. */
export function enumLines(schema: unknown): string | undefined {
  const words = isRecord(schema) ? schema.enum : undefined;
  if (words === undefined) return '';
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words.join('\n') : undefined;
}

/** Sets the words of an `enum` from lines; no line removes it. */
export function setEnum(at: FieldPath, schema: unknown, text: string): readonly YamlEdit[] {
  const words = [...new Set(text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])))];
  const path = [...at, 'enum'];
  if (words.length > 0) return [{ op: 'set', path, value: words }];
  return isRecord(schema) && 'enum' in schema ? [{ op: 'remove', path }] : [];
}

/** Returns the places of all properties in a schema, at any depth. */
export function propertyPaths(at: FieldPath, schema: unknown): readonly FieldPath[] {
  const items = isRecord(schema) && isRecord(schema.items) ? propertyPaths([...at, 'items'], schema.items) : [];
  return [
    ...items,
    ...propertiesOf(schema).flatMap((property) => {
      const path = [...at, 'properties', property.name];
      return [path, ...propertyPaths(path, property.schema)];
    }),
  ];
}
