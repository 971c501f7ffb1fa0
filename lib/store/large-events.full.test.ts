import { expect, test } from 'vitest';
import { systemClock } from '@/lib/jobs/system-clock';
import { testDatabase } from '@/lib/testing/postgres';
import { logged, storedRun, taken } from '@/lib/testing/stored-run';
import { createEventWriter } from './event-writer';
import { mapEventsBySeq, readAllEvents, readEvents, readEventText, readStoredEvents, sizeOfEvents } from './events';

const { store } = await testDatabase();
const mebibyte = 1024 * 1024;

test('an event of 32 MiB is stored and read whole, and in parts', async () => {
  const run = await storedRun(store);
  const { epoch, lastSeq } = await taken(store, run, 'a');
  const lost: unknown[] = [];
  const writer = createEventWriter(store, run, {
    startSeq: lastSeq,
    epoch,
    clock: systemClock,
    onLost: (reason) => lost.push(reason),
  });
  // Two bytes a character, and quotes that JSON escapes.
  const large = 'ä"'.repeat((32 * mebibyte) / 3);
  // Larger than a page, too.
  const next = large.slice(0, 4 * mebibyte);
  for (const text of ['first', large, 'third', next, 'last']) writer.append(logged(text));
  await writer.flush();
  expect(lost).toEqual([]);

  const all = await readAllEvents(store, run);
  expect(all.map((event) => (event.kind === 'log' ? event.message.length : 0))).toEqual([
    5,
    large.length,
    5,
    next.length,
    4,
  ]);
  expect(all[1]?.kind === 'log' && all[1].message === large).toBe(true);

  // A page ends with the event that fills it.
  expect((await readEvents(store, run, { after: 0, limit: 100 })).map(({ seq }) => seq)).toEqual([1, 2]);
  expect((await readEvents(store, run, { after: 2, limit: 100 })).map(({ seq }) => seq)).toEqual([3, 4]);
  const page = { after: 0, limit: 100, maxBytes: mebibyte, maxBodyBytes: mebibyte };
  const stored = await readStoredEvents(store, run, page);
  expect(stored.map(({ seq, body }) => [seq, body !== undefined])).toEqual([
    [1, true],
    [2, false],
  ]);
  expect(stored[1]?.bytes).toBeGreaterThan(32 * mebibyte);

  const part = await readEventText(store, run, 2, { from: 1_000_000, length: 6 });
  expect(['ä\\"ä\\"', '\\"ä\\"ä', '"ä\\"ä\\']).toContain(part);
  expect(await readEventText(store, run, 2, { from: 100_000_000, length: 6 })).toBe('');
  expect(await sizeOfEvents(store, run, [2, 4])).toBeGreaterThan(40 * mebibyte);
  const kinds = await mapEventsBySeq(store, run, [5, 2, 9, 4], (event) => event.kind);
  expect([...kinds.keys()]).toEqual([2, 4, 5]);
});
