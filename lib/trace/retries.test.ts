import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { begin, fold, log, modelOff, modelOn, queued, started } from '@/lib/testing/trace-log';
import { repeatedUntil, retriesOf } from './retries';

const again = (n: number, message: string, waitMs?: number): EventBody => ({
  ...{ kind: 'log', level: 'warning', code: 'model_retry', message },
  ...{ path: brandAs('lead'), step: brandAs(`lead#m${n}`), ...(waitMs !== undefined && { waitMs }) },
});
const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, modelOn('lead', 1)],
    [2, modelOn('lead', 2)],
    [3, again(1, 'The server is busy.', 4)],
    [4, again(2, 'Another call, of a log without the wait.')],
    [8, again(1, 'It is still busy.', 2)],
    [15, modelOff('lead', 1)],
    [16, modelOff('lead', 2)],
    [17, modelOn('lead', 3)],
    [19, modelOff('lead', 3)],
  ),
);

test('the repeated requests of a model call are its own, also while another one of its instance goes on', () => {
  expect(retriesOf(trace, 1).map(({ at, message }) => [at, message])).toEqual([
    [3_000, 'The server is busy.'],
    [8_000, 'It is still busy.'],
  ]);
  expect(retriesOf(trace, 2)).toHaveLength(1);
  expect(retriesOf(trace, 3)).toEqual([]);
});

test('the time until the last request was made again is lost', () => {
  expect([...repeatedUntil(trace)]).toEqual([
    [1, 10_000],
    [2, 4_000],
  ]);
});

test('logs that are cut to a moment tell of the requests until then', () => {
  const logs = [...trace.logs];
  expect(repeatedUntil({ logs }).get(1)).toBe(10_000);
  logs.length = 1;
  expect([...repeatedUntil({ logs })]).toEqual([[1, 7_000]]);
});
