import { expect, test, vi } from 'vitest';
import { brandAs, type EpochMs, type InstancePath, type RunId, type StepKey } from '@/lib/base/ids';
import { systemClock } from '@/lib/jobs/system-clock';
import { noUsage } from '@/lib/runtime/record/messages';
import { dropConnections, ownDatabase } from '@/lib/testing/postgres';
import { finished, logged, storedRun, taken } from '@/lib/testing/stored-run';
import { openStore } from './database';
import { createEventWriter } from './event-writer';
import { readAllEvents, readEvent, readEvents } from './events';
import { findRun } from './runs';
import { takeRun } from './take-run';

const { url, store } = await ownDatabase();

async function writerFor(runId: RunId, worker: string) {
  const run = await taken(store, runId, worker);
  const losses: string[] = [];
  const writer = createEventWriter(store, runId, {
    startSeq: run.lastSeq,
    epoch: run.epoch,
    clock: systemClock,
    onLost: (reason) => losses.push(reason),
  });
  return { writer, losses };
}

const seqsOf = async (runId: RunId) => (await readAllEvents(store, runId)).map((event) => event.seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('many events appended at once and over time are stored in order without gaps', async () => {
  const runId = await storedRun(store);
  const { writer, losses } = await writerFor(runId, 'a');
  for (let round = 0; round < 20; round += 1) {
    for (let index = 0; index < 137; index += 1) writer.append(logged(`${round}:${index}`));
    if (round % 5 === 0) await writer.flush();
    else await new Promise(setImmediate);
  }
  await writer.flush();
  expect(await seqsOf(runId)).toEqual(upTo(20 * 137));
  expect((await findRun(store, runId)).lastSeq).toBe(20 * 137);
  expect(losses).toEqual([]);
});

test('events that wait for a slow statement are not delayed once more', async () => {
  const runId = await storedRun(store);
  const { epoch } = await taken(store, runId, 'a');
  let now = 1_000;
  const delays: number[] = [];
  const clock = {
    now: () => brandAs<EpochMs>(now),
    sleep: async (ms: number) => {
      delays.push(ms);
      now += ms;
    },
  };
  const slow = openStore(url);
  const { query } = slow.pool;
  Reflect.set(slow.pool, 'query', async (...given: unknown[]) => {
    if (delays.length === 1) {
      writer.append(logged('while the first one is written'));
      now += 18;
    }
    return await Reflect.apply(query, slow.pool, given);
  });
  const writer = createEventWriter(slow, runId, { startSeq: 0, epoch, clock, onLost: () => undefined });
  writer.append(logged('first'));
  await vi.waitFor(async () => expect(await seqsOf(runId)).toEqual([1, 2]));
  expect(delays).toEqual([25, 7]);
  await slow.close();
});

test('a run that goes on is found by its message', async () => {
  const runId = await storedRun(store, undefined, 'An errand that takes long');
  const { writer } = await writerFor(runId, 'a');
  writer.append(logged('first'));
  await writer.flush();
  const { texts } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId }, select: { texts: true } });
  expect(texts).toContain('an errand that takes long');
});

test('several runs are written at once by their own writers', async () => {
  const runs = await Promise.all(Array.from({ length: 8 }, () => storedRun(store)));
  await Promise.all(
    runs.map(async (runId) => {
      const { writer } = await writerFor(runId, 'a');
      for (let index = 0; index < 1_200; index += 1) writer.append(logged(`${index}`));
      await writer.flush();
    }),
  );
  for (const runId of runs) expect(await seqsOf(runId)).toEqual(upTo(1_200));
});

test('text that Postgres cannot hold comes back as it was', async () => {
  const runId = await storedRun(store);
  const { writer } = await writerFor(runId, 'a');
  const message = 'nul \0, half a pair \ud83d, quote " and \\u0000';
  writer.append(logged(message));
  await writer.flush();
  expect(await readEvent(store, runId, 1)).toMatchObject({ kind: 'log', message });
});

test("the run's row tells what its events tell", async () => {
  const runId = await storedRun(store);
  const { writer } = await writerFor(runId, 'a');
  const { correlationId } = await findRun(store, runId);
  writer.append({ kind: 'run.started', runId, correlationId, entryAgent: 'lead', message: 'Go', scripted: true });
  await writer.flush();
  expect(await findRun(store, runId)).toMatchObject({ status: 'running', entryAgent: 'lead', scripted: true });
  writer.append(finished);
  await writer.flush();
  const run = await findRun(store, runId);
  expect(run).toMatchObject({ status: 'completed', answer: 'Done', lastSeq: 2 });
  expect(run.finishedAt).toBeInstanceOf(Date);
  expect(await takeRun(store, runId, 'late')).toBeUndefined();
});

test('a writer whose run was taken over can append no more and says so', async () => {
  const runId = await storedRun(store);
  const old = await writerFor(runId, 'believed dead');
  old.writer.append(logged('mine'));
  await old.writer.flush();
  const next = await writerFor(runId, 'successor');
  old.writer.append(logged('too late'));
  await old.writer.flush();
  next.writer.append(logged('theirs'));
  await next.writer.flush();
  const messages = (await readAllEvents(store, runId)).map((event) => event.kind === 'log' && event.message);
  expect(messages).toEqual(['mine', 'theirs']);
  expect(old.losses).toEqual(['taken_over']);
  expect(next.losses).toEqual([]);
});

test('connections that break under the writer lose and repeat nothing', async () => {
  const runId = await storedRun(store);
  const { writer, losses } = await writerFor(runId, 'a');
  for (let round = 0; round < 25; round += 1) {
    for (let index = 0; index < 40; index += 1) writer.append(logged(`${round}:${index}`));
    const flushed = writer.flush();
    await dropConnections(url);
    await flushed;
  }
  expect(losses).toEqual([]);
  const fresh = openStore(url);
  expect((await readAllEvents(fresh, runId)).map((event) => event.seq)).toEqual(upTo(1_000));
  await fresh.close();
});

test('an event of 20 MB is stored, and reading is paged', async () => {
  const runId = await storedRun(store);
  const { writer } = await writerFor(runId, 'a');
  writer.append(logged('x'.repeat(20 * 1024 * 1024)));
  for (let index = 0; index < 10; index += 1) writer.append(logged('small'));
  await writer.flush();
  const page = await readEvents(store, runId, { after: 1, limit: 4 });
  expect(page.map((event) => event.seq)).toEqual([2, 3, 4, 5]);
  expect(await readEvent(store, runId, 1)).toMatchObject({ kind: 'log' });
});

test('attempts count only while nothing new is recorded', async () => {
  const runId = await storedRun(store);
  expect((await taken(store, runId, 'a')).attempts).toBe(1);
  expect((await taken(store, runId, 'b')).attempts).toBe(2);
  const { writer } = await writerFor(runId, 'c');
  const path = brandAs<InstancePath>('lead');
  writer.append({ kind: 'model.ended', path, step: brandAs<StepKey>('lead#m1'), usage: noUsage, requests: 1 });
  await writer.flush();
  expect((await taken(store, runId, 'd')).attempts).toBe(1);
  expect((await taken(store, runId, 'e')).attempts).toBe(2);
});
