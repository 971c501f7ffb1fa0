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

/**
 * Reads spans of Zipkin. Times are microseconds; annotations are events; a tag `error` is a failure. The spans of a client and its server
 * may share an id: the server's gets another one, is inside of the client's, and has what its service did inside.
 */
export function readZipkin(value: unknown): ReceivedSpans {
  const read: ReceivedSpans = { spans: [], rejected: 0, problem: undefined };
  const list: readonly unknown[] = listOf(value).flat();
  const halves = sharedIn(list.filter(isRecord));
  for (const span of list) {
    if (!isRecord(span)) reject(read, 'An entry of the list is not a span.');
    else readSpan(read, span, halves);
  }
  return read;
}

type ZipkinSpan = Record<string, unknown>;

/** Returns the spans of servers that share the id of a client in the list, and the keys of their ids within the service. */
function sharedIn(spans: readonly ZipkinSpan[]): SharedSpans {
  const clients = new Set(spans.filter(({ shared }) => shared !== true).map((span) => keyOf(span, span.id)));
  const servers = spans.filter((span) => span.shared === true && clients.has(keyOf(span, span.id)));
  return {
    servers: new Set(servers),
    keys: new Set(servers.map((span) => `${keyOf(span, span.id)} ${serviceOf(span)}`)),
  };
}

interface SharedSpans {
  readonly servers: ReadonlySet<ZipkinSpan>;
  readonly keys: ReadonlySet<string>;
}

function keyOf({ traceId }: ZipkinSpan, id: unknown): string {
  return `${padded(traceId, 32)} ${padded(id, 16)}`;
}

function serviceOf({ localEndpoint }: ZipkinSpan): string {
  return isRecord(localEndpoint) ? textOf(localEndpoint.serviceName) : '';
}

/** Returns the ids of a span and of what it is inside of. */
function idsOf(span: ZipkinSpan, { servers, keys }: SharedSpans): readonly [id: string, parent: string] {
  const id = padded(span.id, 16);
  if (servers.has(span)) return [ofServer(id), id];
  const parent = padded(span.parentId, 16);
  return [id, keys.has(`${keyOf(span, span.parentId)} ${serviceOf(span)}`) ? ofServer(parent) : parent];
}

/** Makes another id of an id that is shared, always the same one. */
function ofServer(id: string): string {
  if (!/^[0-9a-f]{16}$/i.test(id)) return id;
  return (BigInt(`0x${id}`) ^ (1n << 63n)).toString(16).padStart(16, '0');
}

function readSpan(read: ReceivedSpans, span: ZipkinSpan, halves: SharedSpans): void {
  const { error, 'otel.scope.name': scope, ...attributes } = tagsOf(span.tags);
  const start = numberOf(span.timestamp);
  const service = serviceOf(span);
  const [spanId, parentId] = idsOf(span, halves);
  addSpan(
    read,
    {
      traceId: padded(span.traceId, 32),
      spanId,
      parentId,
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
