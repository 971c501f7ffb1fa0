/** The JSON form of OTLP traces: ids in hex, 64-bit numbers as strings (opentelemetry-proto, trace.proto). */
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
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

/** A span while it is made. */
export interface SpanFields {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly attributes: OtlpAttribute[];
  readonly isDelegation?: boolean;
  /** Epoch milliseconds. */
  readonly start: number;
  end: number | undefined;
  /** An instance's status, or `ok`, `error`, `interrupted` or `open`. */
  status: string;
  error: { readonly code: string; readonly message?: string } | undefined;
}

export function toSpan(traceId: string, span: SpanFields): OtlpSpan {
  const { parent, status, error } = span;
  const attributes = [...span.attributes, text('callboard.status', status)];
  if (error !== undefined) attributes.push(text('error.type', error.code));
  const code = codes[status] ?? 0;
  return {
    traceId,
    spanId: span.id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: span.name,
    kind: span.kind === 'client' ? 3 : 1,
    startTimeUnixNano: nanos(span.start),
    endTimeUnixNano: nanos(Math.max(span.start, span.end ?? span.start)),
    attributes,
    status: code === 2 && error?.message !== undefined ? { code, message: error.message } : { code },
  };
}

/** What was cancelled or broken off is neither well nor wrong. */
const codes: Readonly<Record<string, 0 | 1 | 2>> = { ok: 1, completed: 1, error: 2, failed: 2, timeout: 2 };

export function text(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: value } };
}

export function integer(key: string, value: number): OtlpAttribute {
  return { key, value: { intValue: String(Math.round(value)) } };
}

/** Exact to the microsecond, which is what a double holds of an epoch time. */
function nanos(ms: number): string {
  return (BigInt(Math.round(ms * 1000)) * 1000n).toString();
}
