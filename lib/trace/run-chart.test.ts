import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChartRun, chartOf, mostColumns } from './run-chart';

const hour = 3_600_000;
const run = (at: number, durationMs?: number, status: ChartRun['status'] = 'completed') => ({ at, durationMs, status });

test('runs of a minute are one column per five seconds, with errors and durations', () => {
  const { columns } = chartOf(
    [run(60_000, 10), run(60_900, 30, 'failed'), run(119_000, 500), run(118_000, undefined, 'running')],
    false,
  );
  expect(columns).toHaveLength(12);
  expect(columns[0]).toEqual({ from: 60_000, to: 65_000, runs: 2, failed: 1, active: 0, p50: 10, p95: 30 });
  expect(columns[1]).toMatchObject({ from: 65_000, runs: 0, p50: undefined });
  expect(columns[11]).toMatchObject({ runs: 2, active: 1, p50: 500 });
});

test('a column of which runs may be missing is left out', () => {
  const runs = [run(64_900, 10), run(65_000, 20), run(119_000, 500)];
  expect(chartOf(runs, true).columns[0]).toMatchObject({ from: 65_000, runs: 1 });
  expect(chartOf([run(60_000)], true).columns).toHaveLength(1);
});

test('two days are hours, and nothing is nothing', () => {
  expect(chartOf([run(0), run(47 * hour)], false).columns).toHaveLength(48);
  expect(chartOf([], false)).toEqual({ columns: [], isCut: false });
});

test('every run is in exactly one column, and there are never more than 48', () => {
  const time = fc.oneof(fc.nat(1_000), fc.integer({ min: 0, max: 4e12 }));
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 50 }), (times) => {
      const { columns } = chartOf(
        times.map((at) => run(at, 1)),
        false,
      );
      expect(columns.length).toBeLessThanOrEqual(mostColumns);
      expect(columns.reduce((sum, { runs }) => sum + runs, 0)).toBe(times.length);
      for (const { from, to, runs } of columns) expect(times.filter((at) => at >= from && at < to)).toHaveLength(runs);
    }),
  );
});
