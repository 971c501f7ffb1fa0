import { isRecord, type Json, type JsonObject } from '@/lib/base/json';

/**
 * Returns the schema of a utility type such as `Partial<T>`, from the schema of `T`. For an unknown type it is `{}`, which
 * accepts anything.
 */
export function mappedSchema(
  name: 'Record' | 'Readonly' | 'NonNullable' | 'Partial' | 'Required' | 'Pick' | 'Omit',
  first: JsonObject,
  second: JsonObject,
): JsonObject {
  switch (name) {
    case 'Readonly':
    case 'NonNullable':
      return first;
    case 'Partial': {
      const { required: _, ...rest } = first;
      return rest;
    }
    case 'Required':
      return isRecord(first.properties) ? { ...first, required: Object.keys(first.properties) } : first;
    case 'Pick':
    case 'Omit': {
      const keys = keysOf(second);
      if (keys === undefined || !isRecord(first.properties)) return {};
      return withFields(first, (key) => keys.includes(key) === (name === 'Pick'));
    }
    case 'Record': {
      const keys = keysOf(first);
      if (keys === undefined) return { type: 'object', additionalProperties: second };
      return { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, second])), required: keys };
    }
  }
}

/** Returns the schema of `keyof T`. */
export function keysSchema(schema: JsonObject): JsonObject {
  if (!isRecord(schema.properties) || schema.additionalProperties !== undefined) return {};
  return { type: 'string', enum: Object.keys(schema.properties) };
}

/** Returns the schema of `T['key']`. */
export function fieldSchema(schema: JsonObject, key: JsonObject): JsonObject {
  const [name, ...others] = keysOf(key) ?? [];
  const field = name !== undefined && isRecord(schema.properties) ? schema.properties[name] : undefined;
  return others.length === 0 && isObject(field) ? field : {};
}

/** Returns the schema of `A & B`, and of an interface with its parents. */
export function mergeObjects(types: readonly JsonObject[]): JsonObject {
  const properties: Record<string, Json> = {};
  const required = new Set<string>();
  let rest: Json | undefined;
  for (const type of types) {
    if (isRecord(type.properties)) Object.assign(properties, type.properties);
    if (Array.isArray(type.required)) for (const name of type.required) required.add(String(name));
    if (type.additionalProperties !== undefined) rest = type.additionalProperties;
    else if (!isRecord(type.properties)) rest ??= true;
  }
  return {
    type: 'object',
    properties,
    ...(required.size > 0 && { required: [...required] }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
}

function withFields(schema: JsonObject, keep: (key: string) => boolean): JsonObject {
  const { properties, required, ...rest } = schema;
  const kept = Object.entries(isObject(properties) ? properties : {}).filter(([key]) => keep(key));
  const needed = Array.isArray(required) ? required.filter((key) => keep(String(key))) : [];
  return { ...rest, properties: Object.fromEntries(kept), ...(needed.length > 0 && { required: needed }) };
}

/** Returns the strings of a union of string literals. */
function keysOf(schema: JsonObject): string[] | undefined {
  const values = schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  return values?.every((value) => typeof value === 'string') ? values.map(String) : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
