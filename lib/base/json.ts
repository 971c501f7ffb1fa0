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

/** Parses text that may not be JSON at all; `undefined` means it was not, or is nested deeper than anybody means. */
export function parseJson(text: string): Json | undefined {
  if (isJsonTooLarge(text, Number.POSITIVE_INFINITY, deepest)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
