import type { Json } from '@/lib/base/json';
import { isRecord } from '@/lib/base/json';
import { YamlDate } from '@/lib/cards/yaml/pyyaml';

/** Describes a value for a message: "the number 8", "the date 2026-01-02", "a list". */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value === 'string') return describeText(value);
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${value}`;
  if (typeof value === 'boolean') return `the boolean ${value}`;
  if (value instanceof YamlDate) return `the date ${value.text}`;
  return Array.isArray(value) ? 'a list' : 'a mapping';
}

/** Converts plain YAML to JSON. Dates and numbers without a JSON form become strings. Integers beyond 2^53 stay bigints. */
export function toJson(value: unknown): Json {
  if (value instanceof YamlDate) return value.text;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (Array.isArray(value)) return value.map(toJson);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toJson(entry)]));
  return null;
}

/** Truncates long texts. */
function describeText(text: string): string {
  const beginning = text.slice(0, 200);
  const line = beginning.replaceAll(/\s+/g, ' ');
  if (line.trim() === '') return text.length > beginning.length ? 'a long string' : 'a blank string';
  return line.length > 40 || text.length > beginning.length
    ? `the string '${line.slice(0, 39)}…'`
    : `the string '${line}'`;
}
