import { isRecord, type Json } from '@/lib/base/json';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { spanLinksKey } from '@/lib/trace/span-links';
import type { ImportedStep } from './imported-step';

/** The members of `rest` with the process and the library that recorded a span. */
const resourceKey = 'resource';
const scopeKey = 'scope';

/**
 * Adds where the steps of a trace come from: the attributes of the process and the name of the library, where they are other ones than
 * those of the parent; and the names of the spans that links lead to. `steps` are those of `spans`, in the same order.
 */
export function withOrigin<T extends Pick<ImportedStep, 'rest'>>(
  steps: readonly T[],
  spans: readonly ReceivedSpan[],
): readonly T[] {
  const bySpanId = new Map(spans.map((span) => [span.spanId, span]));
  const texts = new Map<object, string>();
  const textOf = (resource: object) => {
    const known = texts.get(resource) ?? JSON.stringify(resource);
    texts.set(resource, known);
    return known;
  };
  return steps.map((step, index) => {
    const span = spans[index];
    if (span === undefined) return step;
    const parent = span.parentId === span.spanId ? undefined : bySpanId.get(span.parentId ?? '');
    const isOtherProcess = parent === undefined || textOf(parent.resource) !== textOf(span.resource);
    const hasResource = isOtherProcess && Object.keys(span.resource).length > 0;
    const links = step.rest[spanLinksKey];
    return {
      ...step,
      rest: {
        ...step.rest,
        ...(Array.isArray(links) && { [spanLinksKey]: links.map((link: Json) => namedLink(link, bySpanId)) }),
        ...(hasResource && { [resourceKey]: span.resource }),
        ...(span.scope !== '' && parent?.scope !== span.scope && { [scopeKey]: span.scope }),
      },
    };
  });
}

function namedLink(link: Json, spans: ReadonlyMap<string, ReceivedSpan>): Json {
  if (!isRecord(link)) return link;
  const to = spans.get(String(link.span_id));
  return to === undefined || to.traceId !== link.trace_id ? (link as Json) : { name: to.name, ...(link as object) };
}
