import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation';
import { isRecord, type JsonObject } from '@/lib/base/json';
import { schemaCheck } from '@/lib/base/json-schema';

/**
 * Validates structured results with the output schemas of a server. Replaces the SDK's own validator, which keeps every schema
 * in memory and uses JavaScript's engine for patterns. With an unusable schema, only the calls of its own tool fail.
 */
export const outputValidator: jsonSchemaValidator = {
  getValidator<T>(schema: unknown): JsonSchemaValidator<T> {
    const check = isSchema(schema) ? schemaCheck(schema, 'draft-07') : undefined;
    return (input) => {
      if (!check?.ok) {
        const why = check === undefined ? 'it is not an object' : check.error;
        return { valid: false, data: undefined, errorMessage: `the output schema of the tool cannot be used: ${why}` };
      }
      const problems = check.value(input);
      if (problems.length === 0) return { valid: true, data: input as T, errorMessage: undefined };
      const errorMessage = problems
        .slice(0, 5)
        .map(({ instancePath, message }) => `data${instancePath} ${message ?? 'is not valid'}`)
        .join(', ');
      return { valid: false, data: undefined, errorMessage };
    };
  },
};

function isSchema(value: unknown): value is JsonObject {
  return isRecord(value);
}
