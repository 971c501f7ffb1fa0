import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Json } from '@/lib/base/json';
import { type Attributes, otlpLimits } from './received-span';

/* Values and attributes of OTLP in binary form, which spans and log records share. */

/** Says how a field is read. The reader stands behind its tag. */
type Fields = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** Reads the fields of a message. `other` has the wire types that are not length-delimited. Unknown fields are skipped. */
export function message(bytes: Uint8Array, fields: Fields, other: Readonly<Record<number, WireType>> = {}): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const handler = fields[field];
    if (handler === undefined || type !== (other[field] ?? WireType.LengthDelimited)) reader.skip(type, field);
    else handler(reader);
  }
}

/** Reads the repeated KeyValue `field` of a message. */
export function readAttributes(bytes: Uint8Array, field: number): Attributes {
  const attributes: [string, Json][] = [];
  message(bytes, { [field]: (reader) => addAttribute(attributes, reader.bytes()) });
  return Object.fromEntries(attributes);
}

/** Adds a KeyValue to a list of attributes, up to the limit. */
export function addAttribute(attributes: [string, Json][], bytes: Uint8Array, depth: number = otlpLimits.depth): void {
  if (attributes.length >= otlpLimits.attributes) return;
  let key = '';
  let value: Json = null;
  message(bytes, {
    1: (reader) => {
      key = reader.string();
    },
    2: (reader) => {
      value = readValue(reader.bytes(), depth);
    },
  });
  attributes.push([key.slice(0, otlpLimits.name), value]);
}

/** Reads an AnyValue. Values nested deeper than the limit become a note. */
export function readValue(bytes: Uint8Array, depth: number): Json {
  if (depth === 0) return '[nested too deeply]';
  let value: Json = null;
  message(
    bytes,
    {
      1: (reader) => {
        value = reader.string();
      },
      2: (reader) => {
        value = reader.bool();
      },
      3: (reader) => {
        value = exact(reader.int64());
      },
      4: (reader) => {
        value = finite(reader.double());
      },
      5: (reader) => {
        const items: Json[] = [];
        message(reader.bytes(), { 1: (inner) => void items.push(readValue(inner.bytes(), depth - 1)) });
        value = items;
      },
      6: (reader) => {
        const entries: [string, Json][] = [];
        message(reader.bytes(), { 1: (inner) => addAttribute(entries, inner.bytes(), depth - 1) });
        value = Object.fromEntries(entries);
      },
      7: (reader) => {
        value = `[${reader.bytes().length} bytes]`;
      },
    },
    { 2: WireType.Varint, 3: WireType.Varint, 4: WireType.Bit64 },
  );
  return value;
}

/** A number beyond the exact range of doubles stays text. */
function exact(value: bigint | string): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function finite(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}

/** Writes bytes as hex digits. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
