import { isRecord, type Json } from '@/lib/base/json';
import type { ImportedFrom } from '@/lib/runtime/record/events';

/** The member of `imported.attributes` with the links of a span. */
export const spanLinksKey = 'span.links';

/** Another span that a span of an imported run names. */
export interface SpanLinkFact {
  readonly traceId: string;
  readonly spanId: string;
  /** The name of the span, if it is of the same trace. */
  readonly name: string | undefined;
  /** The number of the event that began it, if it is of the same trace. */
  readonly event: number | undefined;
}

/** Returns the links of the span that an event comes from. */
export function spanLinksOf(imported: ImportedFrom | undefined): readonly SpanLinkFact[] {
  const links = imported?.attributes[spanLinksKey];
  if (!Array.isArray(links)) return [];
  return links.flatMap((link: Json) => {
    if (!isRecord(link) || typeof link.trace_id !== 'string' || typeof link.span_id !== 'string') return [];
    const { trace_id: traceId, span_id: spanId, name, event } = link;
    return [
      {
        ...{ traceId, spanId, name: typeof name === 'string' ? name : undefined },
        event: typeof event === 'number' ? event : undefined,
      },
    ];
  });
}
