import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** An OTLP attribute value in JSON. */
type AnyValue = Readonly<Record<string, unknown>>;
interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly KeyValue[];
  readonly events?: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes?: readonly KeyValue[];
  }[];
  readonly links?: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes?: readonly KeyValue[];
  }[];
  readonly traceState?: string;
  readonly droppedAttributesCount?: number;
  readonly status?: { readonly code?: number; readonly message?: string };
}

export interface JsonTraces {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly scope?: { readonly name: string }; readonly spans: readonly JsonSpan[] }[];
  }[];
}

/** Encodes an OTLP request as an exporter would, from its JSON form. */
export function writeOtlpProtobuf(request: JsonTraces): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  for (const { resource, scopeSpans } of request.resourceSpans) {
    inside(writer, 1, () => {
      inside(writer, 1, () => attributes(writer, 1, resource?.attributes));
      for (const { scope, spans } of scopeSpans) {
        inside(writer, 2, () => {
          inside(writer, 1, () => text(writer, 1, scope?.name ?? ''));
          for (const span of spans) inside(writer, 2, () => writeSpan(writer, span));
        });
      }
    });
  }
  return writer.finish();
}

function writeSpan(writer: BinaryWriter, span: JsonSpan): void {
  bytes(writer, 1, ofHex(span.traceId));
  bytes(writer, 2, ofHex(span.spanId));
  if (span.parentSpanId !== undefined) bytes(writer, 4, ofHex(span.parentSpanId));
  if (span.traceState !== undefined) text(writer, 3, span.traceState);
  text(writer, 5, span.name);
  writer.tag(6, WireType.Varint).int32(span.kind ?? 1);
  writer.tag(7, WireType.Bit64).fixed64(span.startTimeUnixNano);
  if (span.endTimeUnixNano !== undefined) writer.tag(8, WireType.Bit64).fixed64(span.endTimeUnixNano);
  attributes(writer, 9, span.attributes);
  writer.tag(10, WireType.Varint).uint32(span.droppedAttributesCount ?? 0);
  for (const link of span.links ?? []) {
    inside(writer, 13, () => {
      bytes(writer, 1, ofHex(link.traceId));
      bytes(writer, 2, ofHex(link.spanId));
      attributes(writer, 4, link.attributes);
    });
  }
  for (const event of span.events ?? []) {
    inside(writer, 11, () => {
      writer.tag(1, WireType.Bit64).fixed64(event.timeUnixNano);
      text(writer, 2, event.name);
      attributes(writer, 3, event.attributes);
    });
  }
  inside(writer, 15, () => {
    text(writer, 2, span.status?.message ?? '');
    writer.tag(3, WireType.Varint).int32(span.status?.code ?? 0);
  });
}

function attributes(writer: BinaryWriter, field: number, list: readonly KeyValue[] = []): void {
  for (const { key, value } of list) {
    inside(writer, field, () => {
      text(writer, 1, key);
      inside(writer, 2, () => writeValue(writer, value));
    });
  }
}

function writeValue(writer: BinaryWriter, value: AnyValue): void {
  if (typeof value.stringValue === 'string') text(writer, 1, value.stringValue);
  if (typeof value.boolValue === 'boolean') writer.tag(2, WireType.Varint).bool(value.boolValue);
  if (value.intValue !== undefined) writer.tag(3, WireType.Varint).int64(String(value.intValue));
  if (typeof value.doubleValue === 'number') writer.tag(4, WireType.Bit64).double(value.doubleValue);
  const list = value.arrayValue as { readonly values: readonly AnyValue[] } | undefined;
  if (list !== undefined) {
    inside(writer, 5, () => {
      for (const item of list.values) inside(writer, 1, () => writeValue(writer, item));
    });
  }
  const entries = value.kvlistValue as { readonly values: readonly KeyValue[] } | undefined;
  if (entries !== undefined) inside(writer, 6, () => attributes(writer, 1, entries.values));
}

function inside(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(value);
}

function ofHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
