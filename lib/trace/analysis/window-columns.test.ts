import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '@/lib/testing/events-of';
import { logOfRun, randomRuns } from '@/lib/testing/random-runs';
import { fold } from '@/lib/testing/trace-log';
import { tries } from '@/lib/testing/tries';
import { laneFigures, runFigures } from '@/lib/trace/figures';
import type { Trace } from '@/lib/trace/trace';
import { traceInWindow } from '@/lib/trace/window-trace';
import { type Analysis, analyse } from './analyse';
import { runColumns } from './run-columns';
import { tableRows } from './table-rows';
import { totalKinds } from './totals';
import { columnsInWindow } from './window-columns';

const analysed = (trace: Trace, window?: { readonly from: number; readonly to: number }): Analysis => {
  const run = runColumns(trace, trace.lastAt);
  return analyse(window === undefined ? run : columnsInWindow(run, window));
};

describe('any run', () => {
  const runs = async (check: (trace: Trace, at: number) => void) => {
    await fc.assert(
      fc.asyncProperty(randomRuns, fc.double({ min: 0, max: 1, noNaN: true }), async (random, part) => {
        const trace = fold(await logOfRun(random));
        check(trace, Math.round(trace.lastAt * part));
      }),
      { numRuns: tries(60), timeout: 20_000, endOnFailure: true },
    );
  };

  test('has in the window that holds all of it the figures of the whole', async () => {
    await runs((trace) => {
      const [whole, window] = [
        { trace, now: trace.lastAt },
        { from: 0, to: trace.lastAt },
      ];
      expect(runFigures({ ...whole, window })).toEqual(runFigures(whole));
      expect(laneFigures({ ...whole, window })).toEqual(laneFigures(whole));
      const [all, part] = [analysed(trace), analysed(trace, window)];
      expect(part).toEqual(all);
      const seen = traceInWindow(trace, window);
      for (const kind of totalKinds) {
        expect(tableRows(seen, kind, part.totals[kind])).toEqual(tableRows(trace, kind, all.totals[kind]));
      }
    });
  });

  test('has in two windows that meet the time of the whole, and in each at most its calls', async () => {
    await runs((trace, at) => {
      const now = trace.lastAt;
      const whole = runFigures({ trace, now });
      const [before, after] = [
        runFigures({ trace, now, window: { from: 0, to: at } }),
        runFigures({ trace, now, window: { from: at, to: now } }),
      ];
      expect(before.time + after.time).toBe(whole.time);
      for (const figure of ['models', 'tools', 'errors', 'input', 'output'] as const) {
        expect(before[figure]).toBeLessThanOrEqual(whole[figure]);
        expect(before[figure] + after[figure]).toBeGreaterThanOrEqual(whole[figure]);
      }
      const [all, first, second] = [
        analysed(trace),
        analysed(trace, { from: 0, to: at }),
        analysed(trace, { from: at, to: now }),
      ];
      for (const [share, time] of Object.entries(all.occupancy)) {
        const sum = share in first.occupancy ? sumOf(first, share) + sumOf(second, share) : Number.NaN;
        expect(sum).toBeCloseTo(time, 3);
      }
    });
  });
});

function sumOf({ occupancy }: Analysis, share: string): number {
  return Object.entries(occupancy).find(([name]) => name === share)?.[1] ?? 0;
}

describe('a window', () => {
  const trace = fold(eventsOf('lead 0-90: model 0-10, model 80-90', 'kid[1] 10-80: x__y 10-40, model 50-60'));
  const ms = (n: number) => n * 1_000;
  const window = { from: ms(30), to: ms(55) };

  test('counts the calls that overlap it, with the part of their time that is inside', () => {
    const { totals, from, length, path } = analysed(trace, window);
    expect([from, length]).toEqual([ms(30), ms(25)]);
    expect(totals.tool.rows.map(({ name, count, total }) => [name, count, total])).toEqual([
      ['agent__kid', 1, ms(25)],
      ['x__y', 1, ms(10)],
    ]);
    expect(totals.model.rows.map(({ count, total }) => [count, total])).toEqual([[1, ms(5)]]);
    expect(path.map(({ from: start, to }) => [start, to])).toEqual([
      [0, ms(10)],
      [ms(10), ms(20)],
      [ms(20), ms(25)],
    ]);
    expect(runFigures({ trace, now: trace.lastAt, window })).toMatchObject({ time: ms(25), models: 1, tools: 2 });
  });

  test('without a call has no rows of calls', () => {
    const { totals } = analysed(trace, { from: ms(62), to: ms(70) });
    expect([totals.model.rows, totals.hook.rows]).toEqual([[], []]);
    expect(totals.agent.rows.map(({ name, total }) => [name, total])).toEqual([
      ['lead', ms(8)],
      ['kid', ms(8)],
    ]);
  });
});
