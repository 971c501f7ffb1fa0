import { isRecord, type Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { foldedSpansOf } from '@/lib/trace/folded-spans';
import { spanLinksKey } from '@/lib/trace/span-links';

/**
 * Adds to each link that leads to a span of the same trace the number of the event that began that span, so that a page can select it.
 * A span that was folded into another one is found there.
 */
export function withLinkedEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  const hasLinks = ({ imported }: RunEvent) => Array.isArray(imported?.attributes[spanLinksKey]);
  if (!events.some(hasLinks)) return events;
  const begun = new Map<string, number>();
  for (const { imported, seq } of events) {
    if (imported === undefined || imported.id === '') continue;
    for (const { id } of foldedSpansOf(imported)) begun.set(id, seq);
    begun.set(imported.id, seq);
  }
  return events.map((event) => {
    const { imported } = event;
    const links = imported?.attributes[spanLinksKey];
    if (imported === undefined || !Array.isArray(links)) return event;
    const attributes = { ...imported.attributes, [spanLinksKey]: links.map((link: Json) => linked(link, begun)) };
    return { ...event, imported: { ...imported, attributes } };
  });
}

/** A link has a name if it leads to a span of the same trace. */
function linked(link: Json, begun: ReadonlyMap<string, number>): Json {
  if (!isRecord(link) || link.name === undefined) return link;
  const event = begun.get(String(link.span_id));
  return event === undefined ? (link as Json) : { ...(link as object), event };
}
