import type { Json } from '@/lib/base/json';

export type Attributes = Readonly<Record<string, Json>>;

/** A span as it was received, whatever the encoding. It is also the form in which spans are stored. */
export interface ReceivedSpan {
  /** 32 hex digits in lower case. */
  readonly traceId: string;
  /** 16 hex digits in lower case. */
  readonly spanId: string;
  /** `undefined` for the root of a trace. */
  readonly parentId?: string | undefined;
  readonly name: string;
  /** Epoch milliseconds, exact to the microsecond. */
  readonly start: number;
  /** `undefined` if the span has not ended. */
  readonly end?: number | undefined;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Spans that this one names and that are not its parent; absent if there are none. */
  readonly links?: readonly SpanLink[] | undefined;
  /** What else the span says: its kind if it is not internal, `traceState`, counts of what its recorder dropped. */
  readonly more?: Attributes | undefined;
  readonly failed: boolean;
  readonly statusMessage?: string | undefined;
  /** The name of the library that made the span. */
  readonly scope: string;
  /** The attributes of the process that made the span. */
  readonly resource: Attributes;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: number;
  readonly attributes: Attributes;
}

/** Another span, of this or of another trace, that a span names. */
export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: Attributes;
}

/** The spans of one request. A span that cannot be stored is counted, and the first reason is kept. */
export interface ReceivedSpans {
  readonly spans: ReceivedSpan[];
  rejected: number;
  problem: string | undefined;
}

/** Thrown for a body that is not an OTLP request. The message is fit to show. */
export class NotOtlp extends Error {
  override name = 'NotOtlp';
}

/** Limits on one request. A span beyond them is rejected, and the others are kept. */
export const otlpLimits = {
  spans: 50_000,
  /** Attributes of one span, resource or event. */
  attributes: 2_000,
  events: 2_000,
  links: 2_000,
  /** Levels of arrays and lists within one value. */
  depth: 32,
  /** UTF-16 units of a name or key. */
  name: 2_000,
} as const;

/** A span before it is checked. Ids are hex, times are in nanoseconds as decimal digits. */
export interface UncheckedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly startNanos: string;
  readonly endNanos: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  /** A number or name of `SpanKind`. */
  readonly kind: number | string;
  readonly traceState: string;
  /** Counts of attributes, events and links that the recorder dropped. */
  readonly dropped: readonly [attributes: number, events: number, links: number];
  readonly statusCode: number;
  readonly statusMessage: string;
}

/** Adds the span, or counts it as rejected and says why. */
export function addSpan(to: ReceivedSpans, span: UncheckedSpan, where: Pick<ReceivedSpan, 'scope' | 'resource'>): void {
  const problem = to.spans.length >= otlpLimits.spans ? tooMany : problemOf(span);
  if (problem !== undefined) {
    reject(to, problem);
    return;
  }
  const end = msOf(span.endNanos);
  const start = msOf(span.startNanos);
  const more = moreOf(span);
  to.spans.push({
    traceId: span.traceId.toLowerCase(),
    spanId: span.spanId.toLowerCase(),
    ...(!isNoId(span.parentId) && { parentId: span.parentId.toLowerCase() }),
    name: span.name.slice(0, otlpLimits.name),
    start,
    ...(end > 0 && { end }),
    attributes: span.attributes,
    events: span.events,
    ...(span.links.length > 0 && { links: span.links }),
    ...(more !== undefined && { more }),
    failed: span.statusCode === 2,
    ...(span.statusMessage !== '' && { statusMessage: span.statusMessage }),
    ...where,
  });
}

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

function moreOf({ kind, traceState, dropped: [attributes, events, links] }: UncheckedSpan): Attributes | undefined {
  const named = typeof kind === 'number' ? (kinds[kind] ?? '') : kind.replace(/^SPAN_KIND_/, '');
  const isTold = named !== '' && named !== 'UNSPECIFIED' && named !== 'INTERNAL';
  const more: Attributes = {
    ...(isTold && { 'span.kind': named.toLowerCase() }),
    ...(traceState !== '' && { 'span.trace_state': traceState }),
    ...(attributes > 0 && { 'span.dropped_attributes': attributes }),
    ...(events > 0 && { 'span.dropped_events': events }),
    ...(links > 0 && { 'span.dropped_links': links }),
  };
  return Object.keys(more).length === 0 ? undefined : more;
}

/** Makes a link. Its ids are in lower case; one that names no span is left out. */
export function linkTo(traceId: string, spanId: string, attributes: Attributes): SpanLink[] {
  if (isNoId(traceId) || isNoId(spanId)) return [];
  return [{ traceId: traceId.toLowerCase(), spanId: spanId.toLowerCase(), attributes }];
}

export function reject(to: ReceivedSpans, problem: string): void {
  to.rejected += 1;
  to.problem ??= problem;
}

const tooMany = `A request may have at most ${otlpLimits.spans.toLocaleString('en-US')} spans. Send the others in another request.`;

function problemOf({ traceId, spanId, parentId, startNanos, name }: UncheckedSpan): string | undefined {
  const which = name === '' ? 'A span' : `Span "${name.slice(0, 80)}"`;
  if (!/^[0-9a-f]{32}$/i.test(traceId) || isNoId(traceId)) return `${which}: traceId is not 32 hex digits.`;
  if (!/^[0-9a-f]{16}$/i.test(spanId) || isNoId(spanId)) return `${which}: spanId is not 16 hex digits.`;
  if (parentId !== '' && !/^[0-9a-f]{16}$/i.test(parentId)) return `${which}: parentSpanId is not 16 hex digits.`;
  const start = msOf(startNanos);
  if (!(start > 0 && start < 8e15)) return `${which}: startTimeUnixNano is not a time.`;
  return undefined;
}

function isNoId(id: string): boolean {
  return /^0*$/.test(id);
}

/** Converts nanoseconds in digits to milliseconds, exact to the microsecond. Anything else gives 0. */
export function msOf(nanos: string): number {
  if (!/^\d{1,20}$/.test(nanos)) return 0;
  return nanos.length <= 3 ? 0 : Number(nanos.slice(0, -3)) / 1000;
}
