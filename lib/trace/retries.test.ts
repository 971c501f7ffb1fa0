import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { begin, fold, log, modelOff, modelOn, queued, started } from '@/lib/testing/trace-log';
import { retriesOf } from './retries';

test('the repeated requests of a model call are those of its instance while it went on', () => {
  const again = (path: string, message: string): EventBody => ({
    ...{ kind: 'log', level: 'warning', code: 'model_retry', message },
    path: brandAs(path),
  });
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, modelOn('lead', 1)],
      [3, again('lead', 'The server is busy.')],
      [4, again('other', 'Not this one.')],
      [5, modelOff('lead', 1)],
      [6, modelOn('lead', 2)],
      [9, modelOff('lead', 2)],
    ),
  );
  expect(retriesOf(trace, 1).map(({ at, message }) => [at, message])).toEqual([[3_000, 'The server is busy.']]);
  expect(retriesOf(trace, 2)).toEqual([]);
});
