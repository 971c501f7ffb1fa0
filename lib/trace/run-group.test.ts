import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisOfGroup, barOfRun, type GroupRun, isCorrelationId, neighboursOf, readAgainAfter } from './run-group';
import { sumsLine } from './run-sums';

const run = (id: string, createdAt: number, startedAt?: number, finishedAt?: number): GroupRun => ({
  ...{ id, projectName: 'Desk', status: 'completed', agent: 'lead', message: 'Go', createdAt, startedAt, finishedAt },
});

test('bars lie on one axis from the first run to the last, with the time in the queue before', () => {
  const runs = [run('a', 1_000, 1_500, 2_000), run('b', 3_000, undefined, undefined)];
  const axis = axisOfGroup(runs, 5_000);
  expect(axis).toEqual({ from: 1_000, to: 5_000 });
  expect(runs.map((each) => barOfRun(each, axis, 5_000))).toEqual([
    { queued: 0, start: 0.125, end: 0.25 },
    { queued: 0.5, start: 1, end: 1 },
  ]);
});

const moment = fc.nat(1_000_000);
const runs = fc.array(
  fc
    .record({ at: moment, wait: fc.option(moment), took: fc.option(moment) })
    .map(({ at, wait, took }) =>
      run('r', at, wait === null ? undefined : at + wait, took === null ? undefined : at + (wait ?? 0) + took),
    ),
  { maxLength: 20 },
);

test('every bar lies on the axis, in order, whatever the times are', () => {
  fc.assert(
    fc.property(runs, moment, (all, now) => {
      const axis = axisOfGroup(all, now);
      expect(axis.to).toBeGreaterThan(axis.from);
      for (const each of all) {
        const { queued, start, end } = barOfRun(each, axis, now);
        expect([queued >= 0, start >= queued, end >= start, end <= 1]).toEqual([true, true, true, true]);
      }
    }),
  );
});

test('the neighbours of a run are those before and after it', () => {
  const all = [run('a', 1), run('b', 2), run('c', 3)];
  expect(neighboursOf(all, 'a')).toEqual({ previous: undefined, next: all[1] });
  expect(neighboursOf(all, 'b')).toEqual({ previous: all[0], next: all[2] });
  expect(neighboursOf(all, 'gone')).toEqual({ previous: undefined, next: undefined });
});

test('an id has at most 500 characters, as imports and filters have it, and no NUL', () => {
  expect(['a', 'a'.repeat(500), 'a\tb'].map(isCorrelationId)).toEqual([true, true, true]);
  expect(['', 'a'.repeat(501), 'a\0b'].map(isCorrelationId)).toEqual([false, false, false]);
});

test('a group is read again soon while a run goes on, each minute while one is suspended, and not after', () => {
  const some = { failed: 0, errors: 0, durationMs: 0, tokens: 0, costUsd: 0, unpriced: 0 };
  const after = (ended: number, ...statuses: readonly GroupRun['status'][]) =>
    readAgainAfter({
      runs: statuses.map((status) => ({ ...run('a', 1), status })),
      sums: { ...some, runs: statuses.length, ended },
    });
  expect(after(1, 'completed', 'queued')).toBe(5_000);
  expect(after(1, 'suspended', 'running', 'failed')).toBe(5_000);
  expect(after(1, 'suspended', 'failed')).toBe(60_000);
  expect(after(2, 'cancelled', 'failed')).toBeUndefined();
});

test('sums are a line, which says when a price is not known, and is empty before a run has ended', () => {
  const sums = {
    runs: 3,
    ended: 3,
    failed: 1,
    errors: 2,
    durationMs: 123_000,
    tokens: 12_340,
    costUsd: 0.42,
    unpriced: 0,
  };
  expect(sumsLine(sums)).toBe('1 failed · 2 m 03 s · 12.3k tokens · $0.42');
  expect(sumsLine({ ...sums, failed: 0, unpriced: 1 })).toBe('2 m 03 s · 12.3k tokens · ≥ $0.42');
  expect(sumsLine({ ...sums, ended: 0 })).toBe('');
});
