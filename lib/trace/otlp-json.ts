import { wellFormed } from '@/lib/base/well-formed';

/**
 * The JSON form of OTLP traces: names in lowerCamelCase, ids in hex, enums as numbers, 64-bit numbers as strings
 * (opentelemetry-proto, docs/specification.md, "JSON Protobuf Encoding").
 */
export interface OtlpJson {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** The kind is 1 for internal and 3 for client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** What happened within the span, in order. It is left out if nothing did. */
  readonly events?: readonly OtlpEvent[];
  /** The code is 0 for unset and 2 for error. The conventions want unset for everything that did not fail. */
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean }
    | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };
}

/** A span that is still being built. */
export interface SpanFields {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  /** No key may occur twice, so attributes are added with `set`. */
  readonly attributes: OtlpAttribute[];
  readonly events?: { readonly at: number; readonly name: string; readonly attributes: readonly OtlpAttribute[] }[];
  readonly isTool?: boolean;
  readonly isDelegation?: boolean;
  /** The step. Spans of agents have none. */
  readonly step?: string;
  /** Epoch milliseconds. */
  readonly start: number;
  end: number | undefined;
  /** The status of an instance, or `ok`, `error`, `interrupted` or `open`. */
  status: string;
  error: { readonly code: string; readonly message?: string | undefined } | undefined;
}

/** Yields the JSON text in parts, because the texts of a large run do not fit into one string. */
export async function* otlpText({ resourceSpans }: OtlpJson): AsyncGenerator<string> {
  yield '{"resourceSpans":[';
  for (const [place, { resource, scopeSpans }] of resourceSpans.entries()) {
    yield `${place === 0 ? '' : ','}{"resource":${JSON.stringify(resource)},"scopeSpans":[`;
    for (const [at, { scope, spans }] of scopeSpans.entries()) {
      yield `${at === 0 ? '' : ','}{"scope":${JSON.stringify(scope)},"spans":[`;
      for (let from = 0; from < spans.length; from += 100) {
        const part = spans.slice(from, from + 100).map((span) => JSON.stringify(span));
        yield `${from === 0 ? '' : ','}${part.join(',')}`;
      }
      yield ']}';
    }
    yield ']}';
  }
  yield ']}';
}

export function toSpan(traceId: string, span: SpanFields): OtlpSpan {
  const { parent, status, error } = span;
  const attributes = [...span.attributes, text('callboard.status', status)];
  const code = failures.has(status) ? 2 : 0;
  if (code === 2) attributes.push(text('error.type', error?.code ?? '_OTHER'));
  else if (error !== undefined) {
    // What was stopped has not failed, and the conventions have no place for the reason.
    attributes.push(text('callboard.error_code', error.code));
    if (error.message !== undefined) attributes.push(text('callboard.error_message', error.message));
  }
  return {
    traceId,
    spanId: span.id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: wellFormed(span.name),
    kind: span.kind === 'client' ? 3 : 1,
    startTimeUnixNano: nanos(span.start),
    endTimeUnixNano: nanos(Math.max(span.start, span.end ?? span.start)),
    attributes,
    ...(span.events !== undefined && span.events.length > 0 && { events: span.events.map(toEvent) }),
    status: code === 2 && error?.message !== undefined ? { code, message: wellFormed(error.message) } : { code },
  };
}

function toEvent({ at, name, attributes }: NonNullable<SpanFields['events']>[number]): OtlpEvent {
  return { timeUnixNano: nanos(at), name, attributes };
}

/** The statuses that count as errors. A cancelled or interrupted span has not failed. */
const failures: ReadonlySet<string> = new Set(['error', 'failed', 'timeout']);

/** Sets an attribute. It replaces one with the same key. */
export function set(attributes: OtlpAttribute[], attribute: OtlpAttribute): void {
  const at = attributes.findIndex(({ key }) => key === attribute.key);
  if (at === -1) attributes.push(attribute);
  else attributes[at] = attribute;
}

export function text(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: wellFormed(value) } };
}

export function texts(key: string, values: readonly string[]): OtlpAttribute {
  return { key, value: { arrayValue: { values: values.map((value) => ({ stringValue: wellFormed(value) })) } } };
}

export function flag(key: string, value: boolean): OtlpAttribute {
  return { key, value: { boolValue: value } };
}

export function decimal(key: string, value: number): OtlpAttribute {
  return { key, value: { doubleValue: value } };
}

export function integer(key: string, value: number): OtlpAttribute {
  return { key, value: { intValue: String(Math.round(value)) } };
}

/**
 * Converts to nanoseconds. The result is exact to the microsecond, which is the precision of a double for an epoch time.
 */
export function nanos(ms: number): string {
  return (BigInt(Math.round(ms * 1000)) * 1000n).toString();
}
