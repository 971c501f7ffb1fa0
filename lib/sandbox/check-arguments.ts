import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonObject } from '@/lib/base/json';

const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, addUsedSchema: false });
const compiled = new WeakMap<JsonObject, ValidateFunction>();

/** Why arguments do not fit the schema we made for a function, or undefined. */
export function argumentsProblem(schema: JsonObject, args: JsonObject): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(args)) return undefined;
  return (validate.errors ?? [])
    .slice(0, 5)
    .map((error) => `${error.instancePath || 'arguments'} ${error.message ?? 'is not valid'}`)
    .join('; ');
}
