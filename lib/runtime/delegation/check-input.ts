import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { type SchemaCheck, schemaCheck } from '@/lib/base/json-schema';
import { oncePer } from '@/lib/base/once-per';
import { withoutOptionalNulls } from '@/lib/base/optional-nulls';
import type { Result } from '@/lib/base/result';

const inputCheck = oncePer((schema: JsonObject) => schemaCheck(closed(schema), 'draft-07'));

/** Keywords that may allow properties which `properties` does not name. */
const openingKeywords = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if'];

/**
 * Checks a call's arguments against a child's input schema before the child is made. Properties the schema does not name
 * are refused unless the schema allows them. Returns a sentence that names each path and reason, or `undefined` if the
 * arguments are valid. If the schema cannot be used, no arguments are valid, because it may have been meant as a guard.
 */
export function inputProblem(schema: JsonObject, args: JsonObject): string | undefined {
  return problem(inputCheck(schema), withoutOptionalNulls(schema, args), 'arguments');
}

/** Checks a child's answer. Unlike for arguments, unknown properties are allowed unless the schema forbids them. */
export function answerProblem(schema: JsonObject, answer: Json): string | undefined {
  return problem(schemaCheck(schema, 'draft-07'), answer, 'the answer');
}

/** Says why a schema cannot be used, in the validator's words. The checker of the folder finds most such faults earlier. */
export function schemaFault(schema: JsonObject): string | undefined {
  const check = schemaCheck(schema, 'draft-07');
  return check.ok ? undefined : check.error;
}

function problem(check: Result<SchemaCheck, string>, value: Json, root: string): string | undefined {
  if (!check.ok) return `the schema itself cannot be used: ${check.error}`;
  const problems = check.value(value);
  if (problems.length === 0) return undefined;
  return problems
    .slice(0, 5)
    .map((error) => {
      const extra: unknown = error.params.additionalProperty;
      const name = typeof extra === 'string' ? ` '${extra}'` : '';
      const allowed: unknown = error.params.allowedValues;
      const values = Array.isArray(allowed) ? ` (${allowed.map((item) => JSON.stringify(item)).join(', ')})` : '';
      return `${error.instancePath || root} ${error.message ?? 'is not valid'}${name}${values}`;
    })
    .join('; ');
}

/** Copies a schema so that nested objects and list items refuse unknown properties too. */
function closed(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  const inner = {
    ...schema,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, value]) => [key, isObject(value) ? closed(value) : value]),
          ),
        }
      : {}),
    ...(isObject(items) ? { items: closed(items) } : {}),
  };
  const isOpen = properties === undefined || openingKeywords.some((keyword) => keyword in schema);
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
