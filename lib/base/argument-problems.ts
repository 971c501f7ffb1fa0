import type { JsonObject } from './json';
import { schemaCheck } from './json-schema';
import { withoutOptionalNulls } from './optional-nulls';
import type { ArgumentProblem } from './tool-report';

/**
 * Returns what is wrong with the arguments of a call by the schema of its tool. The list is empty if they fit, and if the schema itself
 * cannot be used: then only the tool can tell.
 */
export function argumentProblems(schema: JsonObject, args: JsonObject): readonly ArgumentProblem[] {
  const check = schemaCheck(schema, 'draft-07');
  if (!check.ok) return [];
  return check.value(withoutOptionalNulls(schema, args)).map(({ instancePath, message = 'is not valid', params }) => {
    const [first, ...rest] = instancePath.split('/').slice(1).map(nameAt);
    const { missingProperty, additionalProperty, allowedValues } = params;
    const inside = rest.length === 0 ? '' : `${rest.join('.')} `;
    if (typeof missingProperty === 'string') {
      return first === undefined
        ? { field: missingProperty, message: 'is missing' }
        : { field: first, message: `${[...rest, missingProperty].join('.')} is missing` };
    }
    if (typeof additionalProperty === 'string') {
      return first === undefined
        ? { field: additionalProperty, message: 'is not an argument of this tool' }
        : { field: first, message: `${[...rest, additionalProperty].join('.')} is not part of it` };
    }
    const values = Array.isArray(allowedValues)
      ? ` (${allowedValues.map((one) => JSON.stringify(one)).join(', ')})`
      : '';
    return { field: first, message: `${inside}${message}${values}` };
  });
}

/** Writes the problems as one sentence part, such as "x must be number; y is missing". */
export function problemWords(problems: readonly ArgumentProblem[]): string {
  const shown = problems.slice(0, 5).map(({ field, message }) => `${field ?? 'arguments'} ${message}`);
  const more = problems.length > shown.length ? ` and ${problems.length - shown.length} more` : '';
  return `${shown.join('; ')}${more}`;
}

/** Undoes the escapes of a JSON pointer (RFC 6901). */
function nameAt(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
