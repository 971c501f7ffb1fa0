import { afterAll, expect, test, vi } from 'vitest';
import type { RunId } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { dropConnections, ownDatabase } from '@/lib/testing/postgres';
import { finished, logged, storedRun, taken } from '@/lib/testing/stored-run';
import { watchRun } from '@/lib/testing/watch-run';
import { createEventWriter } from './event-writer';
import { runEventsChannel } from './events';
import { openNotifications } from './notifications';

const { url, store } = await ownDatabase();
const notifications = openNotifications(url, runEventsChannel);
afterAll(() => notifications.close());

async function writerFor(runId: RunId) {
  const { epoch, lastSeq } = await taken(store, runId, 'a');
  return createEventWriter(store, runId, { startSeq: lastSeq, epoch, clock: systemClock, onLost: () => undefined });
}

async function seen(runId: RunId, after = 0, signal = new AbortController().signal): Promise<readonly number[]> {
  const events: RunEvent[] = [];
  for await (const batch of watchRun(store, notifications, systemClock, { id: runId, after, signal })) {
    events.push(...batch);
  }
  return events.map((event) => event.seq);
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('a watcher gets everything from where it begins to the end', async () => {
  const runId = await storedRun(store);
  const writer = await writerFor(runId);
  writer.append(logged('before'));
  await writer.flush();
  const fromStart = seen(runId);
  const fromLater = seen(runId, 1);
  for (let index = 0; index < 300; index += 1) writer.append(logged(`${index}`));
  writer.append(finished);
  await writer.flush();
  expect(await fromStart).toEqual(from(1, 302));
  expect(await fromLater).toEqual(from(2, 302));
});

test('watching a finished run ends by itself, also beyond its last event', async () => {
  const runId = await storedRun(store);
  const writer = await writerFor(runId);
  writer.append(finished);
  await writer.flush();
  expect(await seen(runId)).toEqual([1]);
  expect(await seen(runId, 1)).toEqual([]);
});

test('forced drops of every connection lose nothing and repeat nothing', { timeout: 120_000 }, async () => {
  const runId = await storedRun(store);
  const writer = await writerFor(runId);
  const watching = [seen(runId), seen(runId), seen(runId)];
  for (let round = 0; round < 25; round += 1) {
    for (let index = 0; index < 5; index += 1) writer.append(logged(`${round}:${index}`));
    const flushed = writer.flush();
    await dropConnections(url);
    await flushed;
  }
  writer.append(finished);
  await writer.flush();
  for (const seqs of await Promise.all(watching)) expect(seqs).toEqual(from(1, 126));
});

test('a watcher that is told to stop, stops', async () => {
  const runId = await storedRun(store);
  const stop = new AbortController();
  const watching = seen(runId, 0, stop.signal);
  stop.abort();
  expect(await watching).toEqual([]);
});

test('watching ends when the run is deleted', async () => {
  const runId = await storedRun(store);
  const watching = seen(runId);
  await store.prisma.run.delete({ where: { id: runId } });
  expect(await watching).toEqual([]);
});

test('a watcher asks the database once for each batch that is stored', async () => {
  const runId = await storedRun(store);
  const writer = await writerFor(runId);
  writer.append(logged('before'));
  await writer.flush();
  const clock = fakeClock();
  const stop = new AbortController();
  const events = watchRun(store, notifications, clock, { id: runId, after: 0, signal: stop.signal });
  await events.next();
  const asked = vi.spyOn(store.pool, 'query');
  const reads = () => asked.mock.calls.filter(([query]) => !isAppend(query)).length;
  try {
    let next = events.next();
    // The watcher does not know yet that nothing follows.
    await vi.waitFor(() => expect(clock.sleeping()).toBe(1));
    const before = reads();
    for (let batch = 1; batch <= 5; batch += 1) {
      writer.append(logged(`${batch}`));
      await writer.flush();
      expect((await next).value?.map(({ seq }: RunEvent) => seq)).toEqual([batch + 1]);
      next = events.next();
      await vi.waitFor(() => expect(clock.sleeping()).toBe(1));
    }
    expect(reads() - before).toBe(5);
    stop.abort();
    expect((await next).done).toBe(true);
  } finally {
    asked.mockRestore();
  }
});

function isAppend(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'name' in query && query.name === 'append-events';
}
