import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { Attributes } from '@/lib/interop/otlp/received-span';

/** Reads attributes by their names in several conventions, and remembers which were read. The rest stays visible. */
export class SpanReader {
  private readonly attributes: Attributes;
  private readonly used = new Set<string>();

  constructor(attributes: Attributes) {
    this.attributes = attributes;
  }

  /** Returns a reader of the same attributes whose reads are not remembered, so that what it reads stays visible. */
  unmarked(): SpanReader {
    return new SpanReader(this.attributes);
  }

  has(key: string): boolean {
    return this.attributes[key] !== undefined && this.attributes[key] !== null;
  }

  hasPrefix(prefix: string): boolean {
    return Object.keys(this.attributes).some((key) => key.startsWith(prefix));
  }

  /** Returns the first of these attributes that is a text with content, or a number or flag as text. */
  text(...keys: readonly string[]): string | undefined {
    for (const key of keys) {
      const value = this.attributes[key];
      const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
      if (typeof text !== 'string' || text === '') continue;
      this.used.add(key);
      return text;
    }
    return undefined;
  }

  /** Returns the first of these attributes that is a number of 0 or more. */
  count(...keys: readonly string[]): number | undefined {
    for (const key of keys) {
      const value = this.attributes[key];
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) continue;
      this.used.add(key);
      return number;
    }
    return undefined;
  }

  /** Returns the first of these attributes as a value. Text that is a JSON object or list is parsed. */
  value(...keys: readonly string[]): Json | undefined {
    for (const key of keys) {
      const value = this.attributes[key];
      if (value === undefined || value === null || value === '') continue;
      this.used.add(key);
      return parsed(value);
    }
    return undefined;
  }

  /** Returns the attributes `prefix.N.…` as a list of objects with their names after the number. */
  numbered(prefix: string): readonly JsonObject[] {
    const found = new Map<number, Record<string, Json>>();
    for (const [key, value] of Object.entries(this.attributes)) {
      if (!key.startsWith(`${prefix}.`)) continue;
      const match = /^(\d{1,6})\.(.+)$/.exec(key.slice(prefix.length + 1));
      if (match === null) continue;
      this.used.add(key);
      const entry = found.get(Number(match[1])) ?? {};
      entry[match[2] ?? ''] = value;
      found.set(Number(match[1]), entry);
    }
    return [...found].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  }

  /** Returns the attributes that were not read. */
  rest(): JsonObject {
    return Object.fromEntries(Object.entries(this.attributes).filter(([key]) => !this.used.has(key)));
  }
}

/** Parses text that looks like a JSON object or list. */
export function parsed(value: Json): Json {
  return typeof value === 'string' && /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** Returns text as it is, and any other value as JSON. */
export function asText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
