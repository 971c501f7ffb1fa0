import { WireType } from '@bufbuild/protobuf/wire';
import type { Json } from '@/lib/base/json';
import { addAttribute, hex, message, readAttributes } from './protobuf-values';
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
