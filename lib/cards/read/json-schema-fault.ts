import { isRecord, type Json } from '@/lib/base/json';
import { oncePer } from '@/lib/base/once-per';
import { linearProblem, patternProblem } from '@/lib/base/pattern-problem';
import type { Path } from '@/lib/cards/yaml/yaml-source';
import { describeValue } from './describe-value';
import { listed } from './fields';

/** A fault in a JSON schema, such as "'type' must be string or …, not the string 'strnig'". */
export interface JsonSchemaFault {
  readonly path: Path;
  readonly reason: string;
}

/**
 * Returns the first fault in a JSON schema (draft 7) that would keep the runtime's validator from compiling it. The
 * validator itself is not used here, because it generates code, which the editor's pages may not do. Unknown keywords are
 * ignored, as the draft requires.
 */
export function jsonSchemaFault(root: unknown): JsonSchemaFault | undefined {
  return schemaFaultAt(root, [], root);
}

type Rule = (value: unknown, path: Path, root: unknown) => JsonSchemaFault | undefined;

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

const flag = wanting('true or false', (value) => typeof value === 'boolean');
const anyNumber = wanting('a number', (value) => typeof value === 'number');
const count = wanting('a whole number from 0', (value) => Number.isInteger(value) && Number(value) >= 0);
const names = wanting('a list of names', isNames);
const nothing: Rule = (_, path) => fault(path, 'is not supported');

const rules: Readonly<Record<string, Rule>> = {
  type: wanting(`one of ${listed(types)}, or a list of them`, isType),
  enum: wanting('a list of values', isFilledList),
  required: names,
  properties: schemaMap,
  patternProperties: (value, path, root) => wrongPattern(value, path) ?? schemaMap(value, path, root),
  definitions: schemaMap,
  $defs: schemaMap,
  dependencies: (value, path, root) =>
    entriesOf(value, path, root, (item, at) => (isList(item) ? names(item, at, root) : schemaFaultAt(item, at, root))),
  items: (value, path, root) => (isList(value) ? schemaList(value, path, root) : schemaFaultAt(value, path, root)),
  additionalItems: schemaFaultAt,
  additionalProperties: schemaFaultAt,
  contains: schemaFaultAt,
  propertyNames: schemaFaultAt,
  not: schemaFaultAt,
  if: schemaFaultAt,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schemaFaultAt,
  else: schemaFaultAt,
  allOf: filledSchemaList,
  anyOf: filledSchemaList,
  oneOf: filledSchemaList,
  pattern: patternFault,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minimum: anyNumber,
  maximum: anyNumber,
  exclusiveMinimum: anyNumber,
  exclusiveMaximum: anyNumber,
  multipleOf: wanting('a number above 0', (value) => typeof value === 'number' && value > 0),
  uniqueItems: flag,
  nullable: flag,
  $ref: referenceFault,
  $async: nothing,
};

function schemaFaultAt(schema: unknown, path: Path, root: unknown): JsonSchemaFault | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return fault(path, `must be a schema, not ${describeValue(schema)}`);
  for (const [key, value] of Object.entries(schema)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const found = rule?.(value, [...path, key], root);
    if (found) return found;
  }
  return undefined;
}

function schemaMap(value: unknown, path: Path, root: unknown): JsonSchemaFault | undefined {
  return entriesOf(value, path, root, (item, at) => schemaFaultAt(item, at, root));
}

function entriesOf(value: unknown, path: Path, root: unknown, judge: Rule): JsonSchemaFault | undefined {
  if (!isRecord(value)) return fault(path, `must be a mapping of names to schemas, not ${describeValue(value)}`);
  for (const [name, item] of Object.entries(value)) {
    const found = judge(item, [...path, name], root);
    if (found) return found;
  }
  return undefined;
}

function schemaList(value: unknown, path: Path, root: unknown): JsonSchemaFault | undefined {
  if (!isList(value)) return fault(path, `must be a list of schemas, not ${describeValue(value)}`);
  for (const [index, item] of value.entries()) {
    const found = schemaFaultAt(item, [...path, index], root);
    if (found) return found;
  }
  return undefined;
}

function filledSchemaList(value: unknown, path: Path, root: unknown): JsonSchemaFault | undefined {
  if (isList(value) && value.length === 0) return fault(path, 'must list at least one schema');
  return schemaList(value, path, root);
}

function wrongPattern(value: unknown, path: Path): JsonSchemaFault | undefined {
  const wrong = isRecord(value) ? Object.keys(value).find((key) => !isPattern(key)) : undefined;
  if (wrong === undefined) return undefined;
  const problem = linearProblem(wrong);
  return fault(
    [...path, wrong],
    problem ? `cannot be matched in linear time: ${problem}` : 'is not a regular expression',
  );
}

/**
 * Checks a reference, which must stay within the schema. References to the draft's own schema or to an `$id` are not
 * checked.
 */
function referenceFault(value: unknown, path: Path, root: unknown): JsonSchemaFault | undefined {
  if (typeof value !== 'string') return fault(path, `must be text such as '#/$defs/name', not ${describeValue(value)}`);
  if (value.startsWith('#/')) {
    if (leadsToSchema(value, root)) return undefined;
    return fault(path, `leads to '${value}', which is not there`);
  }
  if (value === '#' || value.startsWith('http://json-schema.org/') || hasIds(root)) {
    return undefined;
  }
  return fault(path, `must begin with '#/': '${value}' is not in this schema`);
}

/** True if the schema has an `$id`. The result is cached per schema, which may have many references. */
function hasIds(root: unknown): boolean {
  return isRecord(root) && searchIds(root);
}

const searchIds = oncePer((root: Readonly<Record<string, unknown>>) => JSON.stringify(root).includes('"$id"'));

function leadsToSchema(reference: string, root: unknown): boolean {
  let at = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (isList(at)) at = at[Number(key)];
    else at = isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return typeof at === 'boolean' || isRecord(at);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function wanting(what: string, fits: (value: unknown) => boolean): Rule {
  return (value, path) => (fits(value) ? undefined : fault(path, `must be ${what}, not ${describeValue(value)}`));
}

function isType(value: unknown): boolean {
  const isName = (name: unknown) => typeof name === 'string' && types.includes(name);
  return isList(value) ? value.length > 0 && value.every(isName) : isName(value);
}

function isNames(value: unknown): boolean {
  return isList(value) && value.every((name) => typeof name === 'string');
}

function isFilledList(value: unknown): boolean {
  return isList(value) && value.length > 0;
}

function isPattern(value: unknown): boolean {
  return typeof value === 'string' && patternProblem(value) === undefined;
}

/** Names a feature that the linear engine does not support. Otherwise the text is not a regular expression. */
function patternFault(value: unknown, path: Path): JsonSchemaFault | undefined {
  if (isPattern(value)) return undefined;
  const problem = typeof value === 'string' ? linearProblem(value) : undefined;
  if (problem !== undefined) return fault(path, `cannot be matched in linear time: ${problem}`);
  return fault(path, `must be a regular expression, such as '^[a-z]+$', not ${describeValue(value)}`);
}

function isList(value: unknown | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function fault(path: Path, reason: string): JsonSchemaFault {
  return { path, reason };
}

/** Returns a sentence without its full stop: "'properties.op.type' must be …". */
export function describeSchemaFault({ path, reason }: JsonSchemaFault): string {
  return path.length === 0 ? `it ${reason}` : `'${path.join('.')}' ${reason}`;
}
