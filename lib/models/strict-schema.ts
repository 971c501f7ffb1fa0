import { isRecord, type JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';

/**
 * Returns true if a schema is in the subset that `strict: true` of a response format takes: every object is closed and requires
 * all its properties, and only the keywords below occur. Source: platform.openai.com/docs/guides/structured-outputs, *Supported
 * schemas*. A schema that is wrongly counted out is still sent, without `strict`.
 */
export const isStrictSchema: (schema: JsonObject) => boolean = oncePer(
  (schema: JsonObject) => schema.type === 'object' && schema.anyOf === undefined && isStrict(schema, 0),
);

/**
 * Returns true if a schema is in the subset that Anthropic's structured outputs take: they refuse limits of numbers, of texts and
 * of lists. Source: platform.claude.com/docs/en/build-with-claude/structured-outputs, *JSON Schema limitations*.
 */
export const isMessagesSchema: (schema: JsonObject) => boolean = oncePer(
  (schema: JsonObject) => isStrictSchema(schema) && !hasLimits(schema),
);

const limits: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'pattern'],
]);

/** The schema is strict, so it is not deep. A property may have the name of a keyword, which counts as a limit too. */
function hasLimits(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasLimits);
  if (!isRecord(schema)) return false;
  return Object.entries(schema).some(([key, value]) => limits.has(key) || hasLimits(value));
}

const maxDepth = 10;

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  ...['definitions', 'title', 'description', 'pattern', 'multipleOf', 'maximum', 'minimum', 'exclusiveMaximum'],
  ...['exclusiveMinimum', 'minItems', 'maxItems'],
]);

function isStrict(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > maxDepth) return false;
  if (Object.keys(schema).some((key) => !keywords.has(key))) return false;
  const { type, properties, items, anyOf, $ref, $defs, definitions } = schema;
  const isDescribed = ['type', 'enum', 'const', 'anyOf', '$ref'].some((key) => schema[key] !== undefined);
  // A reference to another document cannot be followed.
  if (!isDescribed || ($ref !== undefined && !(typeof $ref === 'string' && $ref.startsWith('#')))) return false;
  if (isOf(type, 'object') && !isClosed(schema)) return false;
  if (isOf(type, 'array') && items === undefined) return false;
  const inner = [properties, $defs, definitions].flatMap((named) => (isRecord(named) ? Object.values(named) : []));
  const choices: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  return [...inner, ...choices, ...(items === undefined ? [] : [items])].every((part) => isStrict(part, depth + 1));
}

function isClosed({ additionalProperties, properties, required }: Readonly<Record<string, unknown>>): boolean {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return (
    additionalProperties === false &&
    isRecord(properties) &&
    Object.keys(properties).every((name) => names.includes(name))
  );
}

function isOf(type: unknown, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}
