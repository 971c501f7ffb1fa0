import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { Attributes, SpanEvent } from '@/lib/interop/otlp/received-span';
import type { Fact, FactNames } from './fact';

/** What a reader needs beside the attributes. */
export interface ReaderOptions {
  readonly events?: readonly SpanEvent[];
  /** The names that say each fact. */
  readonly names?: FactNames;
  /** Prefixes of attributes whose texts are JSON. */
  readonly jsonTexts?: readonly string[];
}

/** Reads attributes by their names in several conventions, and remembers which were read. The rest stays visible. */
export class SpanReader {
  readonly events: readonly SpanEvent[];
  private readonly attributes: Attributes;
  private readonly options: ReaderOptions;
  private readonly used = new Set<string>();
  private readonly usedEvents = new Map<SpanEvent, Set<string>>();

  constructor(attributes: Attributes, options: ReaderOptions = {}) {
    this.attributes = attributes;
    this.options = options;
    this.events = options.events ?? [];
  }

  /** Returns a reader of the same attributes whose reads are not remembered, so that what it reads stays visible. */
  unmarked(): SpanReader {
    return new SpanReader(this.attributes, this.options);
  }

  has(key: string): boolean {
    return this.attributes[key] !== undefined && this.attributes[key] !== null;
  }

  /** Returns the first of these attributes that is a text with content, or a number or flag as text. */
  text(...keys: readonly string[]): string | undefined {
    for (const key of keys) {
      const value = this.plain(key);
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
      const value = this.plain(key);
      if (value === undefined || value === null || value === '') continue;
      this.used.add(key);
      return parsed(value);
    }
    return undefined;
  }

  /** Returns a fact as `text` does. */
  fact(name: Fact): string | undefined {
    const keys = this.namesOf(name);
    return this.withRepeats(keys, this.text(...keys));
  }

  /** Returns a fact as `count` does. */
  factCount(name: Fact): number | undefined {
    const keys = this.namesOf(name);
    return this.withRepeats(keys, this.count(...keys));
  }

  /** Returns a fact as `value` does. */
  factValue(name: Fact): Json | undefined {
    return this.value(...this.namesOf(name));
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

  /** Returns the first of these attributes that an event of the span has, as `value` does. */
  eventValue(...keys: readonly string[]): Json | undefined {
    for (const event of this.events) {
      for (const key of keys) {
        const value = event.attributes[key];
        if (value === undefined || value === null || value === '') continue;
        this.markRead(event, key);
        return parsed(value);
      }
    }
    return undefined;
  }

  /** Remembers that an attribute of an event was read, or all of them. */
  markRead(event: SpanEvent, key?: string): void {
    const used = this.usedEvents.get(event) ?? new Set();
    for (const name of key === undefined ? Object.keys(event.attributes) : [key]) used.add(name);
    this.usedEvents.set(event, used);
  }

  /** Returns the attributes and events that were not read. Of an event that was read in part, what is left. */
  rest(): JsonObject {
    const events = this.events.flatMap((event) => {
      const used = this.usedEvents.get(event);
      const left = Object.entries(event.attributes).filter(([key]) => used?.has(key) !== true);
      if (used !== undefined && left.length === 0) return [];
      return [{ name: event.name, at: event.at, attributes: Object.fromEntries(left) }];
    });
    return {
      ...Object.fromEntries(Object.entries(this.attributes).filter(([key]) => !this.used.has(key))),
      ...(events.length > 0 && { 'span.events': events }),
    };
  }

  private namesOf(name: Fact): readonly string[] {
    return this.options.names?.[name] ?? [];
  }

  /** Remembers attributes that say the same under another name, so that they do not look as if they had been overlooked. */
  private withRepeats<T extends string | number>(keys: readonly string[], value: T | undefined): T | undefined {
    if (value === undefined) return undefined;
    for (const key of keys) if (this.has(key) && String(this.plain(key)) === String(value)) this.used.add(key);
    return value;
  }

  /** Returns an attribute. Some frameworks write every text as JSON, so that it is in quotes. */
  private plain(key: string): Json | undefined {
    const value = this.attributes[key];
    if (typeof value !== 'string' || !value.startsWith('"')) return value;
    const isJson = this.options.jsonTexts?.some((prefix) => key.startsWith(prefix)) === true;
    return isJson ? (parseJson(value) ?? value) : value;
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
