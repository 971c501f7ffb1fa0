import { isJson, isRecord, type Json } from '@/lib/base/json';
import { sha256 } from '@/lib/base/sha256';
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
 * may share an id: each server's gets another one, is inside of the client's, and has what its service did inside.
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

interface SharedSpans {
  /** The ids that servers get. */
  readonly ids: ReadonlyMap<ZipkinSpan, string>;
  /** The same by the key of the shared id and the service, for what the service did inside. */
  readonly byService: ReadonlyMap<string, string>;
}

/**
 * Finds the spans of servers that share the id of a client in the list. A request may have reached several servers, such as after a
 * retry: the earliest is the first.
 */
function sharedIn(spans: readonly ZipkinSpan[]): SharedSpans {
  const clients = new Set(spans.filter(({ shared }) => shared !== true).map((span) => keyOf(span, span.id)));
  const servers = spans.filter((span) => span.shared === true && clients.has(keyOf(span, span.id)));
  const ids = new Map<ZipkinSpan, string>();
  const byService = new Map<string, string>();
  for (const span of servers.toSorted((a, b) => numberOf(a.timestamp) - numberOf(b.timestamp) || byServiceName(a, b))) {
    const id = ofServer(span);
    ids.set(span, id);
    const service = `${keyOf(span, span.id)} ${serviceOf(span)}`;
    if (!byService.has(service)) byService.set(service, id);
  }
  return { ids, byService };
}

function byServiceName(a: ZipkinSpan, b: ZipkinSpan): number {
  return serviceOf(a) < serviceOf(b) ? -1 : serviceOf(a) > serviceOf(b) ? 1 : 0;
}

function keyOf({ traceId }: ZipkinSpan, id: unknown): string {
  return `${padded(traceId, 32)} ${padded(id, 16)}`;
}

function serviceOf({ localEndpoint }: ZipkinSpan): string {
  return isRecord(localEndpoint) ? textOf(localEndpoint.serviceName) : '';
}

/** Returns the ids of a span and of what it is inside of. */
function idsOf(span: ZipkinSpan, { ids, byService }: SharedSpans): readonly [id: string, parent: string] {
  const own = ids.get(span);
  if (own !== undefined) return [own, padded(span.id, 16)];
  const parent = byService.get(`${keyOf(span, span.parentId)} ${serviceOf(span)}`);
  return [padded(span.id, 16), parent ?? padded(span.parentId, 16)];
}

/** Makes another id of an id that is shared: always the same one for the same service and time, in whatever file the span is. */
function ofServer(span: ZipkinSpan): string {
  const id = padded(span.id, 16);
  if (!/^[0-9a-f]{16}$/i.test(id)) return id;
  const which = sha256(new TextEncoder().encode(`${serviceOf(span)}\n${numberOf(span.timestamp)}`)).slice(0, 16);
  return (BigInt(`0x${id}`) ^ (BigInt(`0x${which}`) | (1n << 63n))).toString(16).padStart(16, '0');
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
