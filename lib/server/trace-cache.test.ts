import { expect, it } from 'vitest';
import { brandAs, type RunId } from '@/lib/base/ids';
import { eventsOf } from '@/lib/testing/events-of';
import { encodeTrace } from '@/lib/trace/columns';
import { TraceCache } from './trace-cache';

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
  const cache = new TraceCache(10);
  for (const name of ['a', 'b', 'a', 'c']) await cache.read(run(name), log(events.length).readPage);
  const again = log(events.length);
  await cache.read(run('b'), again.readPage);
  expect(again.asked).toEqual([0]);
});
