import { isRecord, type Json, type JsonObject } from './json';

/**
 * Removes null arguments when the schema neither requires the property nor accepts null, because models write null for an
 * omitted argument. Nested objects stay unchanged.
 */
export function withoutOptionalNulls(schema: JsonObject, args: JsonObject): JsonObject {
  const { properties, required } = schema;
  if (!isRecord(properties) || !Object.values(args).includes(null)) return args;
  const needed = Array.isArray(required) ? required : [];
  const isLeftOut = ([name, value]: [string, Json]) =>
    value === null && Object.hasOwn(properties, name) && !needed.includes(name) && !takesNull(properties[name]);
  return Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry)));
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
