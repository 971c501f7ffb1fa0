import type { Fetched } from '@/lib/client/event-cache';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { ShortEvent } from '@/lib/trace/short-event';

/** The short event of one kind. */
export type OfKind<K extends RunEvent['kind']> = Extract<ShortEvent, { kind: K }>;

/** Returns the event if it is loaded and of that kind. */
export function eventOf<K extends RunEvent['kind']>(
  fetched: Fetched<ShortEvent> | undefined,
  kind: K,
): OfKind<K> | undefined {
  if (fetched === undefined || fetched === 'loading' || !('value' in fetched)) return undefined;
  return isKind(fetched.value, kind) ? fetched.value : undefined;
}

function isKind<K extends RunEvent['kind']>(event: ShortEvent, kind: K): event is OfKind<K> {
  return event.kind === kind;
}
