import { isJsonTooLarge } from './json-size';

/** What JSON can carry. Everything that is stored, streamed or sent to a model is one of these. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Levels of values inside values. What is deeper can be read, but writing it again overflows the stack. */
const deepest = 1_000;

/**
 * Parses text that may not be JSON at all; `undefined` means it was not, is nested deeper than anybody means, or holds a
 * number that is too large to be one (`1e999`): `JSON.parse` makes it infinity, which is written again as `null`.
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

/** Fewer digits than these cannot exceed the largest double, about 1.8e308. Most text needs no second look. */
const mayOverflow = /\d[eE]\+?\d{3}|\d{200}/;

function hasFiniteNumbers(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(hasFiniteNumbers);
}
