import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import { withNumbers } from './exact-json';
import { isRecord, type JsonObject } from './json';
import { linearPattern } from './linear-pattern';
import { oncePer } from './once-per';
import { err, ok, type Result } from './result';
import { sha256 } from './sha256';

/** Returns the problems of a value, in the words of the validator. The list is empty for a valid value. */
export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];
export type SchemaProblem = Pick<ErrorObject, 'instancePath' | 'message' | 'params'>;
export type Draft = 'draft-07' | '2020-12';

/**
 * Compiles a JSON schema to a check. The error is a sentence that says why the schema cannot be used. No value can keep the
 * check busy, because patterns and `uniqueItems` take linear time and the number of followed references is limited.
 *
 * Each schema gets its own instance of the library, because an instance keeps every schema it has compiled. Equal schemas
 * share a check while it is in the cache of recently used ones.
 */
export function schemaCheck(schema: JsonObject, draft: Draft): Result<SchemaCheck, string> {
  return draft === 'draft-07' ? draft07(schema) : draft2020(schema);
}

const draft07 = oncePer((schema: JsonObject) => recentCheck(schema, 'draft-07'));
const draft2020 = oncePer((schema: JsonObject) => recentCheck(schema, '2020-12'));

const recent = new LRUCache<string, Result<SchemaCheck, string>>({ maxSize: 32_000_000 });
/** A compiled check takes about this much memory per character of the schema. */
const bytesPerChar = 20;
const bytesPerSchema = 50_000;

function recentCheck(schema: JsonObject, draft: Draft): Result<SchemaCheck, string> {
  const text = safeText(schema);
  if (text === undefined) return err('it is nested too deeply');
  const key = `${draft} ${sha256(new TextEncoder().encode(text))}`;
  const known = recent.get(key);
  if (known !== undefined) return known;
  const check = compile(schema, draft);
  recent.set(key, check, { size: text.length * bytesPerChar + bytesPerSchema });
  return check;
}

function safeText(schema: JsonObject): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch {
    return undefined;
  }
}

class TooManySteps extends Error {}

/**
 * At most this many references are followed for one value. A schema such as `anyOf` of two references to itself would need
 * exponentially many.
 */
const maxSteps = 1_000_000;
const stepKeyword = 'callboardStep';

function compile(schema: JsonObject, draft: Draft): Result<SchemaCheck, string> {
  let steps = 0;
  const ajv = new (draft === 'draft-07' ? Ajv : Ajv2020)(options);
  ajv.addKeyword({
    keyword: stepKeyword,
    before: '$ref',
    validate: () => {
      steps += 1;
      if (steps > maxSteps) throw new TooManySteps();
      return true;
    },
  });
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: readonly unknown[]) => !wanted || areUnique(items),
    error: { message: 'must NOT have duplicate items' },
  });
  try {
    const validate = ajv.compile(counted(schema));
    // An async check returns a promise, which would count as valid.
    if ('$async' in validate && validate.$async) return err("'$async' is not supported");
    return ok((value) => {
      steps = 0;
      try {
        return validate(withNumbers(value)) ? [] : [...(validate.errors ?? [])];
      } catch (error) {
        // A RangeError is a stack overflow: the schema refers to itself endlessly, or the value is nested too deeply.
        if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error;
        return [{ instancePath: '', message: 'cannot be checked: the schema refers to itself too often', params: {} }];
      }
    });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/** Matches patterns in linear time. The library needs `code` only for stand-alone modules, which are not used here. */
const linearEngine = Object.assign(
  (source: string) => {
    const pattern = linearPattern(source);
    if (!pattern.ok) throw new Error(pattern.error);
    return { test: (text: string) => pattern.value.test(text), toString: () => source };
  },
  { code: 'linearEngine' },
);

const options: Options = {
  strict: false,
  allErrors: true,
  validateSchema: false,
  validateFormats: false,
  logger: false,
  code: { regExp: linearEngine },
};

/** Adds a counter to each reference in the schema. Leaves data in the schema (`enum`, `const`) unchanged. */
function counted(schema: JsonObject): JsonObject {
  return isRecord(schema) ? (countedValue(schema) as JsonObject) : schema;
}

const dataKeywords = new Set(['enum', 'const', 'default', 'examples']);

function countedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(countedValue);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    dataKeywords.has(key) ? member : countedValue(member),
  ]);
  const refers = ['$ref', '$dynamicRef', '$recursiveRef'].some((key) => typeof value[key] === 'string');
  return Object.fromEntries(refers ? [...entries, [stepKeyword, true]] : entries);
}

/**
 * True if no two items are equal, ignoring the order of keys. This replaces the library's check, which would compare every
 * pair.
 */
function areUnique(items: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = JSON.stringify(item, sortedMembers);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

function sortedMembers(_key: string, member: unknown): unknown {
  if (!isRecord(member)) return member;
  return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
}
