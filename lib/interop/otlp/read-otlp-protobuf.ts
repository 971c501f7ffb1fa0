import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Json } from '@/lib/base/json';
import {
  type Attributes,
  addSpan,
  linkTo,
  msOf,
  NotOtlp,
  otlpLimits,
  type ReceivedSpans,
  type SpanEvent,
  type SpanLink,
} from './received-span';

/*
 * Reads OTLP in binary form. Field numbers are those of opentelemetry-proto: collector/trace/v1/trace_service.proto,
 * trace/v1/trace.proto, common/v1/common.proto. The messages are read straight into our own form, so that limits hold while
 * reading. Unknown fields are skipped.
 */

/** Reads an ExportTraceServiceRequest. Throws `NotOtlp` for bytes that are not one. */
export function readOtlpProtobuf(bytes: Uint8Array): ReceivedSpans {
  const read: ReceivedSpans = { spans: [], rejected: 0, problem: undefined };
  try {
    message(bytes, {
      1: (reader) => readResourceSpans(read, reader.bytes()),
    });
    return read;
  } catch (error) {
    if (error instanceof NotOtlp) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new NotOtlp(`The body is not an OTLP request in protobuf: ${why}.`);
  }
}

/** Says how a field is read. The reader stands behind its tag. */
type Fields = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** Fields whose wire type is not length-delimited, by the kind of value that their handler reads. */
function message(bytes: Uint8Array, fields: Fields, other: Readonly<Record<number, WireType>> = {}): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    const handler = fields[field];
    if (handler === undefined || type !== (other[field] ?? WireType.LengthDelimited)) reader.skip(type, field);
    else handler(reader);
  }
}

function readResourceSpans(read: ReceivedSpans, bytes: Uint8Array): void {
  let resource: Attributes = {};
  const scopes: Uint8Array[] = [];
  message(bytes, {
    1: (reader) => {
      resource = readAttributes(reader.bytes(), 1);
    },
    2: (reader) => scopes.push(reader.bytes()),
    // The name of scope_spans before version 0.15.
    1000: (reader) => scopes.push(reader.bytes()),
  });
  for (const scope of scopes) readScopeSpans(read, scope, resource);
}

function readScopeSpans(read: ReceivedSpans, bytes: Uint8Array, resource: Attributes): void {
  let scope = '';
  const spans: Uint8Array[] = [];
  message(bytes, {
    1: (reader) =>
      message(reader.bytes(), {
        1: (inner) => {
          scope = inner.string();
        },
      }),
    2: (reader) => spans.push(reader.bytes()),
  });
  for (const span of spans) readSpan(read, span, { scope, resource });
}

function readSpan(
  read: ReceivedSpans,
  bytes: Uint8Array,
  where: { readonly scope: string; readonly resource: Attributes },
): void {
  const span = {
    traceId: '',
    spanId: '',
    parentId: '',
    name: '',
    startNanos: '',
    endNanos: '',
    traceState: '',
    kind: 0,
  };
  const dropped: [number, number, number] = [0, 0, 0];
  const links: SpanLink[] = [];
  const status = { statusCode: 0, statusMessage: '' };
  const attributes: [string, Json][] = [];
  const events: SpanEvent[] = [];
  message(
    bytes,
    {
      1: (reader) => {
        span.traceId = hex(reader.bytes());
      },
      2: (reader) => {
        span.spanId = hex(reader.bytes());
      },
      4: (reader) => {
        span.parentId = hex(reader.bytes());
      },
      3: (reader) => {
        span.traceState = reader.string();
      },
      5: (reader) => {
        span.name = reader.string();
      },
      6: (reader) => {
        span.kind = reader.int32();
      },
      7: (reader) => {
        span.startNanos = String(reader.fixed64());
      },
      8: (reader) => {
        span.endNanos = String(reader.fixed64());
      },
      9: (reader) => addAttribute(attributes, reader.bytes()),
      10: (reader) => {
        dropped[0] = reader.uint32();
      },
      12: (reader) => {
        dropped[1] = reader.uint32();
      },
      13: (reader) => {
        const link = reader.bytes();
        if (links.length < otlpLimits.links) links.push(...readLink(link));
      },
      14: (reader) => {
        dropped[2] = reader.uint32();
      },
      11: (reader) => {
        const event = reader.bytes();
        if (events.length < otlpLimits.events) events.push(readEvent(event));
      },
      15: (reader) => readStatus(status, reader.bytes()),
    },
    {
      ...{ 6: WireType.Varint, 7: WireType.Bit64, 8: WireType.Bit64 },
      ...{ 10: WireType.Varint, 12: WireType.Varint, 14: WireType.Varint },
    },
  );
  const lists = { attributes: Object.fromEntries(attributes), events, links, dropped };
  addSpan(read, { ...span, ...status, ...lists }, where);
}

function readStatus(status: { statusCode: number; statusMessage: string }, bytes: Uint8Array): void {
  message(
    bytes,
    {
      2: (reader) => {
        status.statusMessage = reader.string();
      },
      3: (reader) => {
        status.statusCode = reader.int32();
      },
    },
    { 3: WireType.Varint },
  );
}

function readLink(bytes: Uint8Array): SpanLink[] {
  let traceId = '';
  let spanId = '';
  message(bytes, {
    1: (reader) => {
      traceId = hex(reader.bytes());
    },
    2: (reader) => {
      spanId = hex(reader.bytes());
    },
  });
  return linkTo(traceId, spanId, readAttributes(bytes, 4));
}

function readEvent(bytes: Uint8Array): SpanEvent {
  let at = 0;
  let name = '';
  message(
    bytes,
    {
      1: (reader) => {
        at = msOf(String(reader.fixed64()));
      },
      2: (reader) => {
        name = reader.string();
      },
    },
    { 1: WireType.Bit64 },
  );
  return { at, name, attributes: readAttributes(bytes, 3) };
}

/** Reads the repeated KeyValue `field` of a message. */
function readAttributes(bytes: Uint8Array, field: number): Attributes {
  const attributes: [string, Json][] = [];
  message(bytes, { [field]: (reader) => addAttribute(attributes, reader.bytes()) });
  return Object.fromEntries(attributes);
}

function addAttribute(attributes: [string, Json][], bytes: Uint8Array, depth: number = otlpLimits.depth): void {
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
function readValue(bytes: Uint8Array, depth: number): Json {
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

function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
