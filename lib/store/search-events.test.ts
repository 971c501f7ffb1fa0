import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import type { EventBody } from '@/lib/runtime/record/events';
import { testDatabase } from '@/lib/testing/postgres';
import { logged, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { searchEvents } from './search-events';

const { store } = await testDatabase();

const call = (n: number, place: string): EventBody => ({
  kind: 'tool.started',
  path: brandAs('lead'),
  step: brandAs(`lead#t${n}`),
  attempt: 1,
  callId: brandAs('call-oslo'),
  toolName: 'maps',
  source: 'mcp',
  arguments: { place },
  correlationId: brandAs('c'),
});

test('a run is searched for texts in arguments, results and messages, in any case, and not for keys or ids', async () => {
  const id = await storedRun(store);
  const { epoch } = await taken(store, id, 'w');
  const writer = createEventWriter(store, id, { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined });
  writer.append(call(1, 'Oslo'));
  writer.append(call(2, 'Lima'));
  writer.append(logged('Off to OSLO, 50% "done"'));
  await writer.flush();
  const found = async (text: string) => (await searchEvents(store, id, text, { after: 0 })).seqs;
  expect(await found('oslo')).toEqual([1, 3]);
  expect(await found('50% "done"')).toEqual([3]);
  expect(await found('place')).toEqual([]);
  expect(await found('tool.started')).toEqual([]);
  expect((await searchEvents(store, id, 'oslo', { after: 0, among: [2, 3] })).seqs).toEqual([3]);
  const { next } = await searchEvents(store, id, 'oslo', { after: 0 });
  expect(next).toBe(3);
  expect(await searchEvents(store, id, 'oslo', { after: 3 })).toEqual({ seqs: [], next: undefined });
});

test('a search reads a page at a time and finds everything', async () => {
  const id = await storedRun(store);
  const { epoch } = await taken(store, id, 'w');
  const writer = createEventWriter(store, id, { startSeq: 0, epoch, clock: systemClock, onLost: () => undefined });
  for (let n = 0; n < 1_200; n++) writer.append(logged(n % 2 === 0 ? 'a needle' : 'hay'));
  await writer.flush();
  const all: number[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof searchEvents>> = await searchEvents(store, id, 'needle', { after });
    all.push(...page.seqs);
    after = page.next;
  }
  expect(all).toEqual(Array.from({ length: 600 }, (_, n) => n * 2 + 1));
});
