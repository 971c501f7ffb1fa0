import { isJson, isRecord, type Json } from '@/lib/base/json';
import {
  type Attributes,
  addSpan,
  linkTo,
  type ReceivedSpans,
  reject,
  type SpanEvent,
  type SpanLink,
} from '@/lib/interop/otlp/received-span';

/** True for what Jaeger's page downloads and its API answers: `{data: [{traceID, spans, processes}]}`. */
export function isJaeger(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.data) && value.data.some((trace) => isRecord(trace) && isTrace(trace));
}

function isTrace(trace: Record<string, unknown>): boolean {
  return typeof trace.traceID === 'string' && Array.isArray(trace.spans);
}

/** Reads traces of Jaeger. Times are microseconds; logs are events; a tag `error` is a failure. */
export function readJaeger(value: unknown): ReceivedSpans {
  const read: ReceivedSpans = { spans: [], rejected: 0, problem: undefined };
  for (const trace of isRecord(value) ? listOf(value.data) : []) {
    if (!isRecord(trace)) continue;
    const processes = isRecord(trace.processes) ? trace.processes : {};
    for (const span of listOf(trace.spans)) readSpan(read, span, processes);
  }
  return read;
}

function readSpan(read: ReceivedSpans, span: unknown, processes: Record<string, unknown>): void {
  if (!isRecord(span)) {
    reject(read, 'An entry of spans is not an object.');
    return;
  }
  const tags = tagsOf(span.tags);
  const { 'otel.scope.name': scope, 'otel.status_description': said, 'span.kind': kind, ...attributes } = tags;
  const references = listOf(span.references).filter(isRecord);
  const parent = references.find(({ refType }) => refType === 'CHILD_OF') ?? { spanID: span.parentSpanID };
  const process = isRecord(span.process) ? span.process : processes[textOf(span.processID)];
  const isFailed = tags.error === true || tags.error === 'true' || tags['otel.status_code'] === 'ERROR';
  const start = numberOf(span.startTime);
  addSpan(
    read,
    {
      traceId: padded(span.traceID, 32),
      spanId: padded(span.spanID, 16),
      parentId: padded(parent.spanID, 16),
      name: textOf(span.operationName),
      startNanos: nanos(start),
      endNanos: nanos(start + numberOf(span.duration)),
      attributes,
      events: listOf(span.logs).flatMap(eventOf),
      links: references.filter(({ refType }) => refType !== 'CHILD_OF').flatMap(linkOf),
      kind: textOf(kind).toUpperCase(),
      traceState: textOf(attributes['w3c.tracestate']),
      dropped: [0, 0, 0],
      statusCode: isFailed ? 2 : 0,
      statusMessage: textOf(said),
    },
    { scope: textOf(scope ?? attributes['otel.library.name']), resource: resourceOf(process) },
  );
}

function eventOf(log: unknown): SpanEvent[] {
  if (!isRecord(log)) return [];
  const { event, ...attributes } = tagsOf(log.fields);
  return [{ name: textOf(event) || 'log', at: numberOf(log.timestamp) / 1_000, attributes }];
}

function linkOf(reference: Record<string, unknown>): SpanLink[] {
  const kind = textOf(reference.refType);
  return linkTo(padded(reference.traceID, 32), padded(reference.spanID, 16), kind === '' ? {} : { refType: kind });
}

function resourceOf(process: unknown): Attributes {
  if (!isRecord(process)) return {};
  return { 'service.name': textOf(process.serviceName), ...tagsOf(process.tags) };
}

function tagsOf(tags: unknown): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    listOf(tags).flatMap((tag): [string, Json][] =>
      isRecord(tag) && typeof tag.key === 'string' && isJson(tag.value) ? [[tag.key, tag.value]] : [],
    ),
  );
}

/** Older ids are shorter. */
export function padded(id: unknown, length: number): string {
  const text = textOf(id);
  return text === '' ? '' : text.padStart(length, '0');
}

/** Converts microseconds to nanoseconds in digits. */
export function nanos(us: number): string {
  return us > 0 && us < 1e17 ? `${Math.round(us)}000` : '';
}

export function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
