import { expect, test } from 'vitest';
import { largeRun } from '@/lib/testing/large-run';
import { fold } from '@/lib/testing/trace-log';
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

test('a column has the most of its stretch, as a count of all spans gives it', () => {
  const steps = atOnceSteps(trace, trace.lastAt);
  for (const [from, to, columns] of [
    [0, trace.lastAt, 40],
    [trace.lastAt / 3, trace.lastAt / 2, 25],
    [trace.lastAt / 2, trace.lastAt / 2 + 500, 10],
  ] as const) {
    const { counts, most } = atOnceColumns(steps, from, to, columns);
    const each = (to - from) / columns;
    const isTool = (span: number) => trace.spans.kindOf(span) === 'tool' && trace.spans.sourceOf(span) !== 'agent';
    for (let column = 0; column < columns; column++) {
      const stretch = [from + each * column, from + each * (column + 1)] as const;
      expect(counts.model[column]).toBe(mostPlainly(trace, (span) => trace.spans.kindOf(span) === 'model', ...stretch));
      expect(counts.tool[column]).toBe(mostPlainly(trace, isTool, ...stretch));
      expect(counts.waiting[column]).toBe(
        mostPlainly(trace, (span) => trace.spans.kindOf(span) === 'queued', ...stretch),
      );
    }
    expect(most).toBeGreaterThan(0);
  }
});

test('a picture looks at about as many numbers as it has columns, however many steps there are', () => {
  const large = fold([...largeRun({ spans: 30_000, lanes: 100, seed: 6 })]);
  const steps = atOnceSteps(large, large.lastAt);
  expect(steps.at.length).toBeGreaterThan(20_000);
  const columns = 100;
  const { looked } = atOnceColumns(steps, 0, large.lastAt, columns);
  expect(looked).toBeLessThan(columns * 130 + steps.at.length / 64);
  expect(atOnceColumns(steps, 0, large.lastAt / 1_000, columns).looked).toBeLessThan(columns * 4);
});

test('a trace without spans has columns without anything', () => {
  const { counts, highest, most } = atOnceColumns(atOnceSteps(emptyTrace(), 0), 0, 1_000, 4);
  expect([[...counts.model], highest, most]).toEqual([[0, 0, 0, 0], 1, 0]);
});
