import { expect, test } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { sameLanes, sameSpan } from './same-span';

const before = fold(log([10, begin], [10, queued('kid')], [10, started('kid')], [20, toolOn('kid', 1)]));
const after = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [5, toolOn('lead', 1)],
    [10, queued('kid')],
    [10, started('kid')],
    [20, toolOn('kid', 1)],
    [30, toolOff('kid', 1)],
  ),
);

test('a span and its lane are found again in a version with more before them', () => {
  const found = sameSpan(before, before.spans.length - 1, after);
  expect(found).toBe(after.spans.length - 1);
  expect(after.lanes[after.spans.lane.at(found ?? 0)]?.path).toBe('kid');
  expect([...sameLanes(before, new Set([0]), after)]).toEqual([after.laneByPath.get('kid')]);
});

test('each of several calls that start together is found again, in its lane', () => {
  const calls = () =>
    fold(
      log(
        [0, begin],
        ...['kid', 'cub'].flatMap((path) => [[0, queued(path)] as const, [0, started(path)] as const]),
        ...['kid', 'cub'].flatMap((path) => [1, 2, 3].map((n) => [20, toolOn(path, n)] as const)),
      ),
    );
  const trace = calls();
  const spans = Array.from({ length: trace.spans.length }, (_, span) => span);
  expect(spans.map((span) => sameSpan(trace, span, calls()))).toEqual(spans);
});

test('what is not there any more is not found', () => {
  expect(sameSpan(after, 1, before)).toBeUndefined();
  expect(sameSpan(before, 99, after)).toBeUndefined();
  expect([...sameLanes(after, new Set([0, 99]), before)]).toEqual([]);
});
