import { isJson, isRecord, type Json } from '@/lib/base/json';
import { addSpan, type ReceivedSpans, reject, type SpanEvent } from '@/lib/interop/otlp/received-span';
import { listOf, nanos, numberOf, padded, textOf } from './jaeger';

/** True for a list of spans of Zipkin's version 2, or a list of such lists. */
export function isZipkin(value: unknown): boolean {
  const list = Array.isArray(value) ? value.flat() : [];
  return list.length > 0 && list.every((span) => isRecord(span) && isSpan(span));
}

function isSpan({ traceId, id, timestamp, startTimeUnixNano }: Record<string, unknown>): boolean {
  return (
    typeof traceId === 'string' && typeof id === 'string' && startTimeUnixNano === undefined && timestamp !== undefined
  );
}

/** Reads spans of Zipkin. Times are microseconds; annotations are events; a tag `error` is a failure. */
export function readZipkin(value: unknown): ReceivedSpans {
  const read: ReceivedSpans = { spans: [], rejected: 0, problem: undefined };
  for (const span of listOf(value).flat()) {
    if (!isRecord(span)) reject(read, 'An entry of the list is not a span.');
    else readSpan(read, span);
  }
  return read;
}

function readSpan(read: ReceivedSpans, span: Record<string, unknown>): void {
  const { error, 'otel.scope.name': scope, ...attributes } = tagsOf(span.tags);
  const start = numberOf(span.timestamp);
  const service = isRecord(span.localEndpoint) ? textOf(span.localEndpoint.serviceName) : '';
  addSpan(
    read,
    {
      traceId: padded(span.traceId, 32),
      spanId: padded(span.id, 16),
      parentId: padded(span.parentId, 16),
      name: textOf(span.name),
      startNanos: nanos(start),
      endNanos: nanos(start + numberOf(span.duration)),
      attributes,
      events: listOf(span.annotations).flatMap(eventOf),
      links: [],
      kind: textOf(span.kind),
      traceState: '',
      dropped: [0, 0, 0],
      statusCode: error === undefined ? 0 : 2,
      statusMessage: error === 'true' || error === undefined ? '' : String(error),
    },
    { scope: textOf(scope), resource: service === '' ? {} : { 'service.name': service } },
  );
}

function eventOf(annotation: unknown): SpanEvent[] {
  if (!isRecord(annotation)) return [];
  return [{ name: textOf(annotation.value), at: numberOf(annotation.timestamp) / 1_000, attributes: {} }];
}

function tagsOf(tags: unknown): Readonly<Record<string, Json>> {
  if (!isRecord(tags)) return {};
  return Object.fromEntries(Object.entries(tags).filter((entry): entry is [string, Json] => isJson(entry[1])));
}
