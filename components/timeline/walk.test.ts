import { expect, it } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { failureList } from '@/lib/trace/failure-list';
import { layoutRows } from '@/lib/trace/lanes';
import { stepError } from '@/lib/trace/moment-steps';
import { spanOfSeq } from '@/lib/trace/span-of-seq';
import { stepFromRow } from './walk';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, toolOn('lead', 1)],
    [2, toolOff('lead', 1)],
    [2, queued('lead/kid[1]', 'lead#t1')],
    [2, started('lead/kid[1]')],
    [3, toolOn('lead/kid[1]', 1)],
    [4, toolOff('lead/kid[1]', 1)],
    [5, toolOn('lead/kid[1]', 2)],
    [6, toolOff('lead/kid[1]', 2)],
  ),
);
const rows = layoutRows(trace, new Set());
const startOf = (span: number | undefined) => (span === undefined ? undefined : trace.spans.start.at(span) / 1000);
const [lead, kid] = [0, 1];

it('steps into the row that has the focus, at its beginning or backwards its last event', () => {
  expect(startOf(stepFromRow(trace, rows, kid, undefined, 1))).toBe(2);
  expect(startOf(stepFromRow(trace, rows, kid, undefined, -1))).toBe(5);
});

it('goes on in order of time from a selection in that row', () => {
  const first = stepFromRow(trace, rows, kid, undefined, 1);
  expect(startOf(stepFromRow(trace, rows, kid, first, 1))).toBe(3);
  const last = trace.spans.length - 1;
  expect(stepFromRow(trace, rows, kid, last, 1)).toBe(last);
});

it('leaves a selection in another row for the row that has the focus', () => {
  const first = stepFromRow(trace, rows, kid, undefined, 1);
  expect(startOf(stepFromRow(trace, rows, lead, first, 1))).toBe(0);
});

it('finds the instance by the event that started it, although the same event ended its wait', () => {
  const waited = fold(
    log([0, begin], [0, queued('lead')], [50, started('lead')], [60, toolOn('lead', 1)], [70, toolOff('lead', 1)]),
  );
  const kindAt = (seq: number) => waited.spans.kindOf(spanOfSeq(waited, seq) ?? -1);
  expect([2, 3, 4, 5].map(kindAt)).toEqual(['queued', 'instance', 'tool', 'tool']);
  expect(spanOfSeq(waited, 6)).toBeUndefined();
});

it('walks failures in the order in which they failed, as the list of failures has them, and around', () => {
  const failing = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1)],
      [2, toolOn('lead', 2)],
      [3, toolOn('lead', 3)],
      [4, toolOff('lead', 3)],
      [5, toolOff('lead', 2, true)],
      [9, toolOff('lead', 1, true)],
      [9, toolOn('lead', 4)],
      [10, toolOff('lead', 4, true)],
    ),
  );
  const listed = failureList(failing).map(({ span }) => span);
  expect(listed.map((span) => failing.spans.end.at(span) / 1000)).toEqual([5, 9, 10]);
  const [first, second, third] = listed;
  const walk = (from: number | undefined, by: 1 | -1) => stepError(failing, from, by);
  expect([undefined, first, second, third].map((from) => walk(from, 1))).toEqual([first, second, third, first]);
  expect([undefined, third, second, first].map((from) => walk(from, -1))).toEqual([third, second, first, third]);
  const well = Array.from({ length: failing.spans.length }, (_, span) => span).find(
    (span) => failing.spans.start.at(span) === 3_000,
  );
  expect([walk(well, 1), walk(well, -1)]).toEqual([first, third]);
});
