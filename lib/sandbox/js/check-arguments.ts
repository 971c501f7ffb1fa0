import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';

/** Says why arguments do not match the schema of a function. Returns `undefined` when they match. */
export function argumentsProblem(schema: JsonObject, args: JsonObject): string | undefined {
  const check = schemaCheck(schema, '2020-12');
  if (!check.ok) return `the schema itself cannot be used: ${check.error}`;
  const problems = check
    .value(args)
    .map((error) => `${error.instancePath || 'arguments'} ${error.message ?? 'is not valid'}`);
  const all = [...problems, ...unknownFields(schema, args, '')];
  return all.length === 0 ? undefined : all.slice(0, 5).join('; ');
}

/**
 * Returns the schema that `argumentsProblem` enforces: an object whose type names its fields takes no other fields. Choices
 * (`anyOf`) are not changed, because `argumentsProblem` does not look into them.
 */
export function closedSchema(schema: JsonObject): JsonObject {
  const { properties, items, prefixItems, additionalProperties } = schema;
  const inner = (value: Json): Json => (isJsonObject(value) ? closedSchema(value) : value);
  const isClosed = isRecord(properties) && additionalProperties === undefined;
  return {
    ...schema,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    }),
    ...(isClosed
      ? { additionalProperties: false }
      : isJsonObject(additionalProperties) && { additionalProperties: inner(additionalProperties) }),
    ...(items !== undefined && { items: inner(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(inner) }),
  };
}

function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** Finds unknown fields. They are an error that the model can correct, as in Python tools. */
function unknownFields(schema: unknown, value: unknown, where: string): string[] {
  if (!isRecord(schema)) return [];
  const { properties, additionalProperties, items, prefixItems } = schema;
  if (Array.isArray(value)) {
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    return value.flatMap((one, at) => unknownFields(first[at] ?? items, one, `${where}/${at}`));
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      return unknownFields(properties[key], one, `${where}/${key}`);
    }
    if (additionalProperties !== undefined || !isRecord(properties)) {
      return unknownFields(additionalProperties, one, `${where}/${key}`);
    }
    const known = Object.keys(properties).join(', ') || 'none';
    return [
      where === ''
        ? `there is no parameter '${key}'; it takes ${known}`
        : `${where} has no field '${key}'; it has ${known}`,
    ];
  });
}
