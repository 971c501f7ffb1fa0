import { type Json, parseJson } from '@/lib/base/json';
import type { Attributes } from '@/lib/interop/otlp/received-span';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type CarriedField, carriedFields } from '@/lib/trace/otel-fields';

/** Reads the attributes that Callboard's export writes, and remembers which were read. */
export class SpanFields {
  private readonly used = new Set<string>();

  constructor(private readonly attributes: Attributes) {}

  has(key: string): boolean {
    return this.attributes[key] !== undefined;
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    return typeof value === 'string' ? value : undefined;
  }

  /** Returns a number. Those beyond 2^53 arrive as text. */
  number(key: string): number | undefined {
    const value = this.value(key);
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  list(key: string): readonly string[] | undefined {
    const value = this.value(key);
    return Array.isArray(value) ? value.map(String) : undefined;
  }

  json(key: string): Json | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : parseJson(text);
  }

  value(key: string): Json | undefined {
    this.used.add(key);
    return this.attributes[key];
  }

  /** Returns the fields of an event that are exported as they are. */
  carried(kind: RunEvent['kind']): Readonly<Record<string, Json>> {
    const fields: Readonly<Record<string, CarriedField>> = carriedFields[kind] ?? {};
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, { key, isJson }]): [string, Json][] => {
        const value = isJson === true ? this.json(key) : this.value(key);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** Returns the attributes that were not read. */
  rest(): Attributes {
    return Object.fromEntries(Object.entries(this.attributes).filter(([key]) => !this.used.has(key)));
  }
}
