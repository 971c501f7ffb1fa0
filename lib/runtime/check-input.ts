import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonObject } from '@/lib/base/json';

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateSchema: false,
  addUsedSchema: false,
  validateFormats: false,
});
const compiled = new WeakMap<JsonObject, ValidateFunction | 'unusable'>();

/** Keywords that may allow properties which `properties` does not name. */
const openingKeywords = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if'];

/**
 * Checks a call's arguments against a card's `tool_input_schema` before the child is made. Properties the schema
 * does not name are refused unless it allows them. Returns a sentence naming each path and reason, or undefined when all
 * is well; a schema that cannot be compiled checks nothing (the card checker reports it).
 */
export function inputProblem(schema: JsonObject, args: JsonObject): string | undefined {
  const validate = validatorOf(schema);
  if (validate === 'unusable' || validate(args)) return undefined;
  return (validate.errors ?? [])
    .slice(0, 5)
    .map((error) => {
      const extra: unknown = error.params.additionalProperty;
      const name = typeof extra === 'string' ? ` '${extra}'` : '';
      const allowed: unknown = error.params.allowedValues;
      const values = Array.isArray(allowed) ? ` (${allowed.map((value) => JSON.stringify(value)).join(', ')})` : '';
      return `${error.instancePath || 'arguments'} ${error.message ?? 'is not valid'}${name}${values}`;
    })
    .join('; ');
}

function validatorOf(schema: JsonObject): ValidateFunction | 'unusable' {
  const known = compiled.get(schema);
  if (known) return known;
  let validate: ValidateFunction | 'unusable';
  try {
    validate = ajv.compile(closed(schema));
  } catch {
    validate = 'unusable';
  }
  compiled.set(schema, validate);
  return validate;
}

function closed(schema: JsonObject): JsonObject {
  const open = schema.properties === undefined || openingKeywords.some((keyword) => keyword in schema);
  return open ? schema : { ...schema, additionalProperties: false };
}
