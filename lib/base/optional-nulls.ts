import { isRecord, type Json, type JsonObject } from './json';

/**
 * Removes null arguments when the schema neither requires the property nor accepts null, because models write null for an
 * omitted argument. Nested objects stay unchanged.
 */
export function withoutOptionalNulls(schema: Readonly<Record<string, unknown>>, args: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isRecord(properties) || !Object.values(args).includes(null)) return args;
  const needed = Array.isArray(required) ? required : [];
  const isLeftOut = ([name, value]: [string, Json]) =>
    value === null && Object.hasOwn(properties, name) && !needed.includes(name) && !takesNull(properties[name]);
  return Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry)));
}

/** Does the same at every level that `properties` and `items` of the schema describe. */
export function withoutOptionalNullsWithin(schema: unknown, value: Json): Json {
  if (!isRecord(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => withoutOptionalNullsWithin(schema.items, item));
  if (!isObject(value)) return value;
  const { properties } = schema;
  const described = isRecord(properties) ? properties : {};
  const entries = Object.entries(withoutOptionalNulls(schema, value)).map(([name, member]): [string, Json] => [
    name,
    Object.hasOwn(described, name) ? withoutOptionalNullsWithin(described[name], member) : member,
  ]);
  return Object.fromEntries(entries);
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}

function takesNull(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(null);
  if ('const' in schema) return schema.const === null;
  if (type !== undefined) return type === 'null' || (Array.isArray(type) && type.includes('null'));
  for (const choices of [schema.anyOf, schema.oneOf]) if (Array.isArray(choices)) return choices.some(takesNull);
  return !('allOf' in schema) && !('$ref' in schema);
}
