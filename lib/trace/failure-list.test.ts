import { expect, test } from 'vitest';
import type { EventBody } from '@/lib/runtime/record/events';
import { begin, ended, fold, log, modelOff, modelOn, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { failureList } from './failure-list';
import type { Trace } from './trace';

const listed = (trace: Trace) =>
  failureList(trace).map(({ span, at, ended: lanes, recoveredBy }) => ({
    ...{ kind: trace.spans.kindOf(span), at, recoveredBy },
    ended: lanes.map((lane) => trace.lanes[lane]?.instanceName),
  }));
const kid = (n: number, attempt = 1): EventBody => ({ ...queued(`lead/kid[${n}]`, 'lead#t1'), attempt }) as EventBody;
const modelFails = (path: string): EventBody =>
  ({
    ...modelOff(path, 1),
    ...{ kind: 'model.ended', error: { code: 'model_failed', message: 'No.' } },
  }) as EventBody;

test('a failure is listed once, with the instances that ended because of it', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1, 'agent__kid', 'agent')],
      [2, kid(1)],
      [3, started('lead/kid[1]')],
      [4, modelOn('lead/kid[1]', 1)],
      [5, modelFails('lead/kid[1]')],
      [6, ended('lead/kid[1]', 'failed')],
      [7, toolOff('lead', 1, true)],
      [8, ended('lead', 'failed')],
    ),
  );
  expect(listed(trace)).toEqual([{ kind: 'model', at: 5_000, ended: ['kid[1]', 'lead'], recoveredBy: undefined }]);
});

test('a failure that the parent got over ends the child alone', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1, 'agent__kid', 'agent')],
      [2, kid(1)],
      [3, started('lead/kid[1]')],
      [4, modelOn('lead/kid[1]', 1)],
      [5, modelFails('lead/kid[1]')],
      [6, ended('lead/kid[1]', 'failed')],
      [7, toolOff('lead', 1, true)],
      [8, modelOn('lead', 2)],
      [9, modelOff('lead', 2)],
      [9, ended('lead')],
    ),
  );
  expect(listed(trace)).toEqual([{ kind: 'model', at: 5_000, ended: ['kid[1]'], recoveredBy: undefined }]);
});

test('a later attempt that went well is named, of a tool and of a child', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1, 'agent__kid', 'agent')],
      [2, kid(1)],
      [3, started('lead/kid[1]')],
      [4, modelOn('lead/kid[1]', 1)],
      [5, modelFails('lead/kid[1]')],
      [6, ended('lead/kid[1]', 'failed')],
      [7, kid(2, 2)],
      [8, started('lead/kid[2]')],
      [9, ended('lead/kid[2]')],
      [10, toolOff('lead', 1)],
      [11, toolOn('lead', 2, 'time')],
      [12, toolOff('lead', 2, true)],
      [13, toolOn('lead', 3, 'time', 'mcp', 2)],
      [14, toolOff('lead', 3)],
      [15, ended('lead')],
    ),
  );
  expect(listed(trace)).toEqual([
    { kind: 'model', at: 5_000, ended: ['kid[1]'], recoveredBy: 2 },
    { kind: 'tool', at: 12_000, ended: [], recoveredBy: 2 },
  ]);
});
