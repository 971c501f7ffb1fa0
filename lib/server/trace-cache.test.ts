import { expect, it } from 'vitest';
import { brandAs, type EpochMs, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { eventsOf } from '@/lib/testing/events-of';
import { logged } from '@/lib/testing/stored-run';
import { encodeTrace } from '@/lib/trace/columns';
import { bytesOfTrace, TraceCache } from './trace-cache';

const events = eventsOf('lead 0-90: model 0-10, model 80-90', 'writer[1] 10-40: time__now 12-20');
const run = (name: string) => brandAs<RunId>(name);

/** Answers events up to `known`, and remembers what was asked for. */
function log(known: number) {
  const asked: number[] = [];
  return {
    asked,
    readPage: async ({ after }: { readonly after: number }) => {
      asked.push(after);
      return events.slice(after, known);
    },
  };
}

it('reads only what came since, and nothing of a run that has ended', async () => {
  const cache = new TraceCache();
  await cache.read(run('a'), log(6).readPage);
  const rest = log(events.length);
  const whole = await cache.read(run('a'), rest.readPage);
  expect(rest.asked).toEqual([6]);
  expect(whole.lastSeq).toBe(events.length);
  await cache.read(run('a'), rest.readPage);
  expect(rest.asked).toEqual([6]);
});

it('takes each event once when two read at the same time', async () => {
  const cache = new TraceCache();
  const source = log(events.length);
  const [one, two] = await Promise.all([cache.read(run('a'), source.readPage), cache.read(run('a'), source.readPage)]);
  expect(encodeTrace(one)).toEqual(encodeTrace(two));
  expect(one.lastSeq).toBe(events.length);
});

it('forgets the run used longest ago', async () => {
  const size = bytesOfTrace(await new TraceCache().read(run('a'), log(events.length).readPage));
  const cache = new TraceCache(2 * size);
  for (const name of ['a', 'b', 'a', 'c']) await cache.read(run(name), log(events.length).readPage);
  const again = log(events.length);
  await cache.read(run('a'), again.readPage);
  expect(again.asked).toEqual([]);
  await cache.read(run('b'), again.readPage);
  expect(again.asked).toEqual([0]);
});

it('counts long texts, not only spans', async () => {
  const long = 'said '.repeat(100_000);
  const said: RunEvent = { ...logged(long), seq: events.length + 1, at: brandAs<EpochMs>(1) };
  const running = events.filter(({ kind }) => kind !== 'run.finished');
  const talkative = {
    readPage: async ({ after }: { readonly after: number }) => (after === 0 ? [...running, said] : []),
  };
  expect(bytesOfTrace(await new TraceCache().read(run('a'), talkative.readPage))).toBeGreaterThan(1_000_000);
  const cache = new TraceCache(1_000_000);
  await cache.read(run('small'), log(events.length).readPage);
  await cache.read(run('talkative'), talkative.readPage);
  const again = log(events.length);
  await cache.read(run('small'), again.readPage);
  expect(again.asked).toEqual([]);
});
