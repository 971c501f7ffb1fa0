import { Ajv, type ValidateFunction } from 'ajv';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';

/** A sentence when the schema cannot be compiled: then nothing fits it. */
type Validator = ValidateFunction | string;

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  validateSchema: false,
  addUsedSchema: false,
  validateFormats: false,
});
const inputValidator = oncePer((schema: JsonObject) => validatorOf(closed(schema)));
const answerValidator = oncePer(validatorOf);

/** Keywords that may allow properties which `properties` does not name. */
const openingKeywords = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref', 'if'];

/**
 * Checks a call's arguments against a child's input schema before the child is made. Properties the schema does not
 * name are refused unless it allows them. Returns a sentence naming each path and reason, or undefined when all is well.
 * Nothing fits a schema that cannot be used: it may have been meant as a guard.
 */
export function inputProblem(schema: JsonObject, args: JsonObject): string | undefined {
  return problem(inputValidator(schema), args, 'arguments');
}

/** The same for a child's answer, taken as the schema is written. */
export function answerProblem(schema: JsonObject, answer: Json): string | undefined {
  return problem(answerValidator(schema), answer, 'the answer');
}

/** Why a schema cannot be used, in the validator's words: the checker has found most such faults before. */
export function schemaFault(schema: JsonObject): string | undefined {
  const validate = answerValidator(schema);
  return typeof validate === 'string' ? validate : undefined;
}

function problem(validate: Validator, value: Json, root: string): string | undefined {
  if (typeof validate === 'string') return `the schema itself cannot be used: ${validate}`;
  if (validate(value)) return undefined;
  return (validate.errors ?? [])
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

function validatorOf(schema: JsonObject): Validator {
  try {
    const compiled = ajv.compile(schema);
    // Its answer would be a promise, which is never false.
    return '$async' in compiled && compiled.$async ? "'$async' is not supported" : compiled;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Nested objects and list items are closed as the schema itself is. */
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
