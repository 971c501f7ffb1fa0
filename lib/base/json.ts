import { isJsonTooLarge } from './json-size';

/** A JSON value. Everything that is stored, streamed or sent to a model is of this type. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for values that JSON can say: no dates, functions or objects of a class, also inside. */
export function isJson(value: unknown): value is Json {
  if (value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.values(value).every(isJson)
    : false;
}

/** The deepest allowed nesting. A deeper value can be parsed, but serialising it overflows the stack. */
const deepest = 1_000;

/**
 * Parses text that may not be JSON. Returns `undefined` for text that is not JSON, is nested too deeply, or holds a number
 * beyond the range of doubles (`1e999`), which `JSON.parse` would turn into infinity and `JSON.stringify` into `null`.
 */
export function parseJson(text: string): Json | undefined {
  if (isJsonTooLarge(text, Number.POSITIVE_INFINITY, deepest)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return mayOverflow.test(text) && !hasFiniteNumbers(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Matches text that may hold a number beyond the largest double, about 1.8e308. Other text needs no further check. */
const mayOverflow = /\d[eE]\+?\d{3}|\d{200}/;

function hasFiniteNumbers(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasFiniteNumbers);
}
