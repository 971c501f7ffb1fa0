import type { Json } from '@/lib/base/json';
import { cutText } from '@/lib/base/well-formed';
import type { RunEvent } from '@/lib/runtime/record/events';
import { payloadText } from './payload-text';
import { payloadsOf } from './payloads';
import { shownStep } from './shown-event';
import { type PartPage, pageOf, pageUnits } from './text-pages';

/** An event whose JSON text is shorter than this is sent whole. */
const wholeUnits = 64 * 1024;
/** A short event has at most this many values, objects and arrays included. */
const mostValues = 30_000;

/**
 * An event in which long texts and lists are cut. `payloadsOf` returns the same parts for it, in number and order, as for
 * the whole event.
 */
export type ShortEvent = RunEvent & {
  /** Lists the parts that are cut, by their place among `payloadsOf`, with the UTF-16 units of their whole text. */
  readonly cut?: readonly { readonly part: number; readonly total: number }[];
};

/**
 * Makes a short event, with the secrets of its messages redacted. Long texts are cut wherever they are, and long lists end early, without regard to the kind of event.
 */
export function shortEvent(whole: RunEvent): ShortEvent {
  const event = shownStep(whole);
  // These kinds are not cut here. What a hook changed is compared, and was cut already when it was recorded. A file is
  // shown whole or not at all.
  if (event.kind === 'hook.ended' || (event.kind === 'artifact.saved' && event.encoding !== 'text')) return event;
  if (JSON.stringify(event).length <= wholeUnits) return event;
  const cut = payloadsOf(event).flatMap(({ value }, part) => {
    const total = payloadText(value).length;
    return total > pageUnits ? [{ part, total }] : [];
  });
  return { ...shorten(event), ...(cut.length > 0 && { cut }) };
}

function shorten<T extends RunEvent>(event: T): T {
  let left = mostValues;
  const short = (value: Json): Json => {
    left -= 1;
    if (typeof value === 'string') return cutText(value, pageUnits);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      const kept: Json[] = [];
      for (const item of value) {
        if (left <= 0) break;
        kept.push(short(item));
      }
      return kept;
    }
    const entries: [string, Json][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (left <= 0) break;
      if (item !== undefined) entries.push([key, short(item)]);
    }
    return Object.fromEntries(entries);
  };
  // Only lengths change, so the kind and the fields of the event stay.
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, value === undefined ? value : short(value)]),
  ) as T;
}

/** Returns a page of a part, or `undefined` if the event has no such part. */
export function partPage(
  event: RunEvent,
  part: number,
  offset: number,
  units: number = pageUnits,
): PartPage | undefined {
  const payload = payloadsOf(event)[part];
  if (payload === undefined) return undefined;
  const whole = payloadText(payload.value);
  return { title: payload.title, total: whole.length, ...pageOf(whole, offset, units) };
}
