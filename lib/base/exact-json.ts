import { isRecord, type Json, type JsonObject, parseJson } from './json';
import { targetOf } from './json-pointer';

/**
 * JSON with integers beyond 2^53, such as ids of messages and keys of databases. `JSON.parse` rounds them. Here they are
 * `bigint`s, and are written with the digits that they had.
 *
 *   text ──parseExactJson──▶ value with bigints ──exactJson──▶ the same text
 *                                 └──JSON.stringify──▶ the digits as a string (records, the HTTP API, pages)
 */

/** Set where `JSON.stringify` meets a `bigint`. It has no other way to tell. */
let met = false;

declare global {
  interface BigInt {
    toJSON(): string;
  }
}

// Without this method `JSON.stringify` throws. Browsers cannot hold such numbers either, so records have them as strings, as
// the JSON mapping of Protocol Buffers does.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  writable: true,
  value(this: bigint) {
    met = true;
    return this.toString();
  },
});

/** Parses as `parseJson` does, but keeps integers beyond 2^53. Only text with so many digits costs more. */
export function parseExactJson(text: string): Json | undefined {
  const value = parseJson(text);
  if (value === undefined) return value;
  const quoted = quoteLargeNumbers(text, '');
  return quoted === text ? value : exactOf(value, JSON.parse(quoted));
}

/** Parses as `parseExactJson` does, and returns large integers as their digits in text, as records and the HTTP API have them. */
export function parseWithDigits(text: string): Json | undefined {
  const value = parseExactJson(text);
  return value && withDigits(value);
}

/** Writes JSON text in which a `bigint` is a number with all its digits. */
export function exactJson(value: object | Json): string {
  met = false;
  const text = JSON.stringify(value);
  return met ? (written(value) ?? 'null') : text;
}

/** Writes as `JSON.stringify` does. `undefined` for what JSON has no form for. */
function written(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => written(item) ?? 'null').join(',')}]`;
  if (!isRecord(value) || typeof value.toJSON === 'function') return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = written(member);
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** Replaces each `bigint` by the nearest number, for code that knows no other. Returns the same value if there is none. */
export function withNumbers<T>(value: T): T {
  return findLargeInteger(value) === undefined ? value : (replaceIntegers(value, Number) as T);
}

/** Replaces each `bigint` by its digits, for records. Returns the same value if there is none. */
export function withDigits<T>(value: T): T {
  return findLargeInteger(value) === undefined ? value : (replaceIntegers(value, String) as T);
}

/** Returns the first `bigint` in a value. Most values hold none. */
export function findLargeInteger(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const members: readonly unknown[] = Object.values(value);
  for (const member of members) {
    const found = findLargeInteger(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Copies a value with something in place of each `bigint`. */
export function replaceIntegers(value: unknown, convert: (integer: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return convert(value);
  if (Array.isArray(value)) return value.map((item: unknown) => replaceIntegers(item, convert));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceIntegers(member, convert)]));
}

/**
 * Gives values that came back from code or a page without `bigint`s the ones that they had: where `before` has one at the
 * same place, and `after` has its number or its digits.
 */
export function restoreIntegers(before: Json | undefined, after: Json): Json {
  if (typeof before === 'bigint') {
    return after === Number(before) || after === before.toString() ? before : after;
  }
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return after;
  if (isList(after)) return isList(before) ? after.map((item, index) => restoreIntegers(before[index], item)) : after;
  if (isList(before)) return after;
  return Object.fromEntries(
    Object.entries(after).map(([key, member]): [string, Json] => [
      key,
      Object.hasOwn(before, key) ? restoreIntegers(before[key], member) : member,
    ]),
  );
}

/**
 * Gives values of people and pages the integers that they wrote as digits in text (`withDigits`): where the JSON Schema has a number
 * and no text, and no double holds the number.
 */
export function integersOfSchema(schema: Json | undefined, value: Json): Json {
  return integersOf([schema], value, schema);
}

/** True if a JSON Schema has a number and no text. `root` has what it refers to. */
export function isNumberSchema(schema: Json | undefined, root: Json | undefined): boolean {
  return isNumber([schema], root);
}

function integersOf(schemas: readonly (Json | undefined)[], value: Json, root: Json | undefined): Json {
  if (typeof value === 'string') return isLargeInteger(value) && isNumber(schemas, root) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const forms = formsOf(schemas, root);
  if (forms.length === 0) return value;
  if (isList(value)) {
    return mapSame(value, (item, index) => {
      const inner = forms.map((form) => itemSchema(form, index));
      return integersOf(inner, item, root);
    });
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const inner = forms.map((form) => memberSchema(form, key));
    return [key, integersOf(inner, member, root)];
  });
  return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : value;
}

function isNumber(schemas: readonly (Json | undefined)[], root: Json | undefined): boolean {
  const types = formsOf(schemas, root).flatMap(({ type = null }) => (isList(type) ? type : [type]));
  return !types.includes('string') && types.some((type) => type === 'integer' || type === 'number');
}

/**
 * Returns the schemas with all that can hold in their place: what they refer to, and the members of `anyOf`, `oneOf` and `allOf`. None
 * is in the list twice, so a schema that refers to itself is no endless list.
 */
function formsOf(schemas: readonly (Json | undefined)[], root: Json | undefined): readonly JsonObject[] {
  const forms = new Set(schemas.filter(isObject));
  for (const { $ref, anyOf, oneOf, allOf } of forms) {
    if (typeof $ref === 'string') add(targetOf(root, $ref));
    for (const some of [anyOf, oneOf, allOf]) if (isList(some)) some.forEach(add);
  }
  return [...forms];

  function add(schema: Json | undefined): void {
    if (isObject(schema)) forms.add(schema);
  }
}

function itemSchema({ prefixItems, items }: JsonObject, index: number): Json | undefined {
  const first = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
  return index < first.length ? first[index] : items;
}

function memberSchema({ properties, additionalProperties }: JsonObject, key: string): Json | undefined {
  return isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

function isLargeInteger(text: string): boolean {
  return /^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text));
}

function mapSame(list: readonly Json[], convert: (item: Json, index: number) => Json): readonly Json[] {
  const items = list.map(convert);
  return items.some((item, index) => item !== list[index]) ? items : list;
}

/** Matches text that may hold a number which a double cannot hold. Other text needs no search. */
const mayBeLarge = /\d{16}|\d[eE]\+?\d{3}/;

/**
 * Puts a string in the place of each number of JSON text that a double cannot hold: `mark` and the number as it is written.
 * Integers beyond 2^53 are such numbers, and numbers beyond the range of doubles (`1e400`). Fractions are rounded to a double by
 * every reader of JSON, so they stay. Text that is not JSON stays text that is not JSON in nearly all cases.
 */
export function quoteLargeNumbers(text: string, mark: string): string {
  if (!mayBeLarge.test(text)) return text;
  let done = '';
  let from = 0;
  for (let i = 0; i < text.length; ) {
    if (text[i] === '"') {
      i = endOfString(text, i);
      continue;
    }
    if (!isDigit(text, i)) {
      i += 1;
      continue;
    }
    const start = text[i - 1] === '-' ? i - 1 : i;
    while (isDigit(text, i)) i += 1;
    const isInteger = !/[.eE]/.test(text[i] ?? '');
    if (!isInteger) while (/[\d.eE+-]/.test(text[i] ?? '')) i += 1;
    const digits = text.slice(start, i);
    if (isInteger ? digits.length < 16 || Number.isSafeInteger(Number(digits)) : Number.isFinite(Number(digits)))
      continue;
    done += `${text.slice(from, start)}"${mark}${digits}"`;
    from = i;
  }
  return done + text.slice(from);
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; ; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"' || i >= text.length) return i + 1;
  }
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Compares the value with the one in which large integers are strings: only there a number meets a string. */
function exactOf(value: Json, quoted: Json): Json {
  if (typeof value === 'number' && typeof quoted === 'string') return BigInt(quoted);
  if (isList(value) && isList(quoted)) return value.map((item, index) => exactOf(item, quoted[index] ?? null));
  if (!isObject(value) || !isObject(quoted)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]): [string, Json] => [key, exactOf(member, quoted[key] ?? null)]),
  );
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
