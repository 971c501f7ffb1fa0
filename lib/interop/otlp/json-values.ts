import { isRecord, type Json } from '@/lib/base/json';
import { type Attributes, otlpLimits } from './received-span';

/* Values and attributes of OTLP in JSON, which spans and log records share. */

/** Reads a list of KeyValue, up to the limit. */
export function attributesOf(list: unknown): Attributes {
  const entries = listOf(list)
    .slice(0, otlpLimits.attributes)
    .flatMap((item): [string, Json][] =>
      isRecord(item) && typeof item.key === 'string'
        ? [[item.key.slice(0, otlpLimits.name), anyValue(item.value, otlpLimits.depth)]]
        : [],
    );
  return Object.fromEntries(entries);
}

/** Reads an AnyValue. Values nested deeper than the limit become a note. */
export function anyValue(value: unknown, depth: number): Json {
  if (!isRecord(value)) return null;
  if (depth === 0) return '[nested too deeply]';
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  if (value.intValue !== undefined) return numberOf(value.intValue);
  if (value.doubleValue !== undefined) return numberOf(value.doubleValue);
  if (typeof value.bytesValue === 'string') return value.bytesValue;
  if (isRecord(value.arrayValue)) return listOf(value.arrayValue.values).map((item) => anyValue(item, depth - 1));
  if (isRecord(value.kvlistValue)) {
    const entries = listOf(value.kvlistValue.values).flatMap((item): [string, Json][] =>
      isRecord(item) && typeof item.key === 'string' ? [[item.key, anyValue(item.value, depth - 1)]] : [],
    );
    return Object.fromEntries(entries);
  }
  return null;
}

/** A number beyond the exact range of doubles stays text. */
function numberOf(value: unknown): Json {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
  if (!Number.isFinite(number)) return typeof value === 'string' ? value : null;
  return typeof value === 'string' && Math.abs(number) > Number.MAX_SAFE_INTEGER ? value : number;
}

/** Returns a 64-bit number as digits, and '' for anything else. */
export function digitsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && value >= 0 && value < 1e20 ? BigInt(Math.round(value)).toString() : '';
}

/** Returns text, and '' for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a list, and an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
