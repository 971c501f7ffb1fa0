import { expect, test } from 'vitest';
import { largeRun } from '@/lib/testing/large-run';
import { begin, fold, log, modelOff, modelOn, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { atOnceColumns, atOnceSteps } from './at-once';
import { emptyTrace } from './empty-trace';
import type { Trace } from './trace';

const trace = fold([...largeRun({ spans: 2_000, lanes: 20, seed: 6 })]);

/** The most of a kind in a stretch: the number at its beginning, and at each moment inside it at which a span begins. */
function mostPlainly(of: Trace, holds: (span: number) => boolean, from: number, to: number): number {
  const { spans } = of;
  const all = Array.from({ length: spans.length }, (_, span) => span).filter(holds);
  const openAt = (at: number) => all.filter((span) => spans.start.at(span) <= at && spans.end.at(span) > at).length;
  const starts = all.map((span) => spans.start.at(span)).filter((start) => start >= from && start < to);
  return Math.max(openAt(from), ...starts.map(openAt));
}

test('a column has the busiest moment of its stretch, as a count of all spans gives it', () => {
  const steps = atOnceSteps(trace);
  for (const [from, to, columns] of [
    [0, trace.lastAt, 40],
    [trace.lastAt / 3, trace.lastAt / 2, 25],
    [trace.lastAt / 2, trace.lastAt / 2 + 500, 10],
  ] as const) {
    const { counts, most } = atOnceColumns(steps, { from, to, now: trace.lastAt }, columns);
    const each = (to - from) / columns;
    const busy: number[] = [];
    const isTool = (span: number) => trace.spans.kindOf(span) === 'tool' && trace.spans.sourceOf(span) !== 'agent';
    for (let column = 0; column < columns; column++) {
      const stretch = [from + each * column, from + each * (column + 1)] as const;
      const works = (span: number) => isTool(span) || trace.spans.kindOf(span) === 'model';
      const busiest = mostPlainly(trace, works, ...stretch);
      expect((counts.model[column] ?? 0) + (counts.tool[column] ?? 0)).toBe(busiest);
      busy.push(busiest);
      expect(counts.waiting[column]).toBe(
        mostPlainly(trace, (span) => trace.spans.kindOf(span) === 'queued', ...stretch),
      );
    }
    expect(most).toBe(Math.max(...busy));
  }
});

test('a picture looks at about as many numbers as it has columns, however many steps there are', () => {
  const large = fold([...largeRun({ spans: 30_000, lanes: 100, seed: 6 })]);
  const steps = atOnceSteps(large);
  expect(steps.at.length).toBeGreaterThan(20_000);
  const columns = 100;
  const { looked } = atOnceColumns(steps, { from: 0, to: large.lastAt, now: large.lastAt }, columns);
  expect(looked).toBeLessThan(columns * 130 + steps.at.length / 64);
  expect(atOnceColumns(steps, { from: 0, to: large.lastAt / 1_000, now: large.lastAt }, columns).looked).toBeLessThan(
    columns * 4,
  );
});

test('a trace without spans has columns without anything', () => {
  const { counts, highest, most } = atOnceColumns(atOnceSteps(emptyTrace()), { from: 0, to: 1_000, now: 0 }, 4);
  expect([[...counts.model], highest, most]).toEqual([[0, 0, 0, 0], 1, 0]);
});

test('an open span reaches to the moment that is now, whatever fraction of a microsecond the clock gives', () => {
  const live = fold(log([0, begin], [0, queued('lead')], [1, started('lead')], [2, modelOn('lead', 1)]));
  const steps = atOnceSteps(live);
  const at = (now: number) => atOnceColumns(steps, { from: 0, to: 10_000, now }, 10);
  expect([...at(4_500.7).counts.model]).toEqual([0, 0, 1, 1, 1, 0, 0, 0, 0, 0]);
  expect([...at(7_200.3).counts.model]).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 0, 0]);
  expect([at(7_200.3).most, at(7_200.3).highest]).toEqual([1, 1]);
});

test('model calls and tools of different moments are not added', () => {
  const one = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [1, started('lead')],
      [2, modelOn('lead', 1)],
      [5, modelOff('lead', 1)],
      [6, toolOn('lead', 1)],
      [9, toolOff('lead', 1)],
    ),
  );
  const { counts, most } = atOnceColumns(atOnceSteps(one), { from: 0, to: 10_000, now: 10_000 }, 1);
  expect([counts.model[0], counts.tool[0], most]).toEqual([1, 0, 1]);
});

test('a root whose code is loaded does not wait, and a child without a permit does', () => {
  const one = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [4, started('lead')],
      [5, toolOn('lead', 1, 'agent__kid', 'agent')],
      [5, queued('lead/kid[1]', 'lead#t1')],
      [8, started('lead/kid[1]')],
    ),
  );
  const { counts } = atOnceColumns(atOnceSteps(one), { from: 0, to: 10_000, now: 10_000 }, 10);
  expect([...counts.waiting]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0, 0]);
});
