import { isRecord, parseJson } from '@/lib/base/json';
import { attributesOf, digitsOf, listOf, textOf } from './json-values';
import {
  type Attributes,
  addSpan,
  linkTo,
  msOf,
  NotOtlp,
  otlpLimits,
  type ReceivedSpans,
  reject,
  type SpanEvent,
  type SpanLink,
} from './received-span';

/**
 * Reads OTLP/JSON (opentelemetry-proto, docs/specification.md, "JSON Protobuf Encoding"): names in lowerCamelCase, ids in
 * hex of any case, enums as integers, 64-bit numbers as strings or numbers, unknown fields ignored. Throws `NotOtlp`.
 */
export function readOtlpJson(text: string): ReceivedSpans {
  const body = parseJson(text);
  if (!isRecord(body)) throw new NotOtlp('The body is not a JSON object.');
  if (body.resourceSpans === undefined && Object.keys(body).length > 0) {
    const keys = Object.keys(body).slice(0, 3).join(', ');
    throw new NotOtlp(`The body is JSON but not OTLP: it has ${keys} and no resourceSpans.`);
  }
  return readOtlpRequest(body);
}

/** Reads a request that is parsed already. */
export function readOtlpRequest(body: object): ReceivedSpans {
  const read: ReceivedSpans = { spans: [], rejected: 0, problem: undefined };
  for (const group of 'resourceSpans' in body ? listOf(body.resourceSpans) : []) {
    if (!isRecord(group)) continue;
    const resource = attributesOf(isRecord(group.resource) ? group.resource.attributes : undefined);
    for (const scoped of listOf(group.scopeSpans ?? group.instrumentationLibrarySpans)) {
      if (!isRecord(scoped)) continue;
      const scope = isRecord(scoped.scope) ? textOf(scoped.scope.name) : '';
      for (const span of listOf(scoped.spans)) readSpan(read, span, { scope, resource });
    }
  }
  return read;
}

function readSpan(
  read: ReceivedSpans,
  span: unknown,
  where: { readonly scope: string; readonly resource: Attributes },
) {
  if (!isRecord(span)) {
    reject(read, 'An entry of spans is not an object.');
    return;
  }
  const status = isRecord(span.status) ? span.status : {};
  addSpan(
    read,
    {
      traceId: textOf(span.traceId),
      spanId: textOf(span.spanId),
      parentId: textOf(span.parentSpanId),
      name: textOf(span.name),
      startNanos: digitsOf(span.startTimeUnixNano),
      endNanos: digitsOf(span.endTimeUnixNano),
      attributes: attributesOf(span.attributes),
      events: listOf(span.events).slice(0, otlpLimits.events).flatMap(eventOf),
      links: listOf(span.links).slice(0, otlpLimits.links).flatMap(linkOf),
      kind: typeof span.kind === 'number' ? span.kind : textOf(span.kind),
      traceState: textOf(span.traceState),
      dropped: [
        countOf(span.droppedAttributesCount),
        countOf(span.droppedEventsCount),
        countOf(span.droppedLinksCount),
      ],
      statusCode: statusCodeOf(status.code),
      statusMessage: textOf(status.message),
    },
    where,
  );
}

function eventOf(event: unknown): SpanEvent[] {
  if (!isRecord(event)) return [];
  const at = msOf(digitsOf(event.timeUnixNano));
  return [{ name: textOf(event.name), at, attributes: attributesOf(event.attributes) }];
}

function linkOf(link: unknown): SpanLink[] {
  if (!isRecord(link)) return [];
  return linkTo(textOf(link.traceId), textOf(link.spanId), attributesOf(link.attributes));
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 32 ? value : 0;
}

function statusCodeOf(code: unknown): number {
  return code === 2 || code === '2' || code === 'STATUS_CODE_ERROR' ? 2 : 0;
}
