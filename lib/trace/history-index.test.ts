import { expect, test } from 'vitest';
import { largeRun } from '@/lib/testing/large-run';
import {
  answered,
  asked,
  begin,
  decided,
  fold,
  hookOff,
  hookOn,
  log,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { historyRows, indexHistory } from './history';
import type { Trace } from './trace';

const route = {
  what: 'route',
  agent: 'billing',
  confidence: 'high',
  reasoning: 'An invoice.',
  candidates: ['billing'],
} as const;

/** Calls of which some are wrapped by hooks that did something, two decisions, and a call that has not ended. */
const mixed = fold(
  log(
    [0, begin],
    [0, queued('desk')],
    [1, started('desk')],
    [2, decided('desk', 1, route)],
    [3, toolOn('desk', 1)],
    [4, hookOn('desk', 1, 'around', 'desk#t1')],
    [5, hookOn('desk', 2, 'around', 'desk#t1')],
    [6, hookOff('desk', 2, true, true)],
    [7, hookOff('desk', 1)],
    [8, toolOff('desk', 1)],
    [9, decided('desk', 2, route)],
    [10, toolOn('desk', 2, 'agent__sales', 'agent')],
    [10, queued('desk/sales[1]', 'desk#t2')],
    [11, started('desk/sales[1]')],
    [12, toolOn('desk/sales[1]', 1)],
    [13, hookOn('desk/sales[1]', 3, 'around', 'desk/sales[1]#t1')],
    [14, hookOff('desk/sales[1]', 3, false)],
    [15, asked('desk/sales[1]', 1)],
    [16, toolOn('desk/sales[1]', 2)],
    [17, asked('desk/sales[1]', 2)],
    [18, asked('desk/sales[1]', 3, 'desk/sales[1]#h1')],
    [19, answered('desk/sales[1]', 1, 'deny')],
    [20, answered('desk/sales[1]', 3)],
  ),
);

function lanesOf(trace: Trace): number[] {
  return trace.lanes.map(({ index }) => index);
}

test('counts as many rows as there are, and makes the same ones for every stretch', () => {
  const [first = -1, second = -1] = mixed.lanes[0]?.decisions ?? [];
  const cases: readonly (readonly [folded: number[], reasons: number[]])[] = [
    [[], []],
    [[0], []],
    [[1], [first]],
    [[], [first, second]],
    [[0], [second]],
  ];
  for (const [folded, reasons] of cases) {
    const whole = historyRows(mixed, lanesOf(mixed), new Set(folded), new Set(reasons));
    const index = indexHistory(mixed, lanesOf(mixed), new Set(folded), new Set(reasons));
    expect(index.count).toBe(whole.length);
    expect(index.reasons).toEqual(whole.flatMap(({ kind }, row) => (kind === 'reason' ? [row] : [])));
    for (let from = 0; from <= whole.length; from++) {
      for (let to = from; to <= whole.length + 1; to++) expect(index.rows(from, to)).toEqual(whole.slice(from, to));
    }
  }
});

test('makes the rows of the instances in view only', () => {
  const trace = fold([...largeRun({ spans: 20_000, lanes: 100, seed: 4 })]);
  const whole = historyRows(trace, lanesOf(trace), new Set());
  let looked = 0;
  const kindOf = trace.spans.kindOf.bind(trace.spans);
  trace.spans.kindOf = (span) => {
    looked++;
    return kindOf(span);
  };
  const index = indexHistory(trace, lanesOf(trace), new Set(), new Set());
  expect(index.count).toBe(whole.length);
  const middle = Math.floor(index.count / 2);
  expect(index.rows(middle, middle + 40)).toEqual(whole.slice(middle, middle + 40));
  expect(looked).toBeLessThan(2_000);
});

test('finds the row of an event, or that of what its instance told before', () => {
  const whole = historyRows(mixed, lanesOf(mixed), new Set());
  const index = indexHistory(mixed, lanesOf(mixed), new Set(), new Set());
  for (const [at, row] of whole.entries()) {
    if (row.kind === 'group') continue;
    const found = whole[index.rowOf(row.span, row.seq) ?? -1];
    expect(found).toMatchObject({ span: row.span, seq: row.seq });
    expect(index.rowOf(row.span, row.seq)).toBeGreaterThanOrEqual(at);
  }
  for (let span = 0; span < mixed.spans.length; span++) {
    const found = whole[index.rowOf(span, mixed.spans.startSeq.at(span)) ?? -1];
    expect(found?.lane).toBe(mixed.spans.lane.at(span));
    if (found?.kind !== 'group') expect(found?.seq).toBeLessThanOrEqual(mixed.spans.startSeq.at(span));
  }
  const folded = indexHistory(mixed, lanesOf(mixed), new Set([0]), new Set());
  expect(folded.rowOf(mixed.lanes[0]?.span ?? 0, 1_000)).toBe(0);
});
