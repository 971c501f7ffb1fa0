import { expect } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';

/** When files of tests are imported. Times of outlines count from there. */
export const importedAt = Date.parse('2026-07-12T12:00:00Z');

/** Returns files as texts, by their paths. A file that is no text is written as JSON. */
export function textsOf(files: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

interface Imported {
  readonly runs: readonly { readonly make: (id: RunId) => { readonly events: readonly RunEvent[] } }[];
  readonly ignored: readonly string[];
}

/** Returns the events of the only run in files, each of which can be stored and read again. */
export function onlyRunOf({ runs, ignored }: Imported): readonly RunEvent[] {
  expect([runs.length, ignored]).toEqual([1, []]);
  const events = runs[0]?.make(brandAs<RunId>('run')).events ?? [];
  for (const event of events)
    expect(readEventRecord(eventFormat, JSON.stringify(event))).toEqual(JSON.parse(JSON.stringify(event)));
  return events;
}

/** Returns starts and ends of instances and steps, in seconds. */
export function outlineOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => {
    const at = (event.at - importedAt) / 1000;
    if (event.kind === 'instance.queued') return [`${at} + ${event.path}`];
    if (event.kind === 'instance.ended') return [`${at} - ${event.path}`];
    if (event.kind === 'model.started' || event.kind === 'tool.started') return [`${at} + ${event.step}`];
    return event.kind === 'model.ended' || event.kind === 'tool.ended' ? [`${at} - ${event.step}`] : [];
  });
}
