import { expect, it } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { EventBody } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';
import { begin, ended, fold, log, modelOff, modelOn, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { failureTest } from './failures';
import type { Trace } from './trace';

const failures = (trace: Trace) => {
  const isFailure = failureTest(trace);
  return Array.from({ length: trace.spans.length }, (_, span) => span)
    .filter(isFailure)
    .map((span) => trace.spans.kindOf(span));
};

it('counts a failed model call once, although its instance and the delegation fail with it', () => {
  const failed: EventBody = {
    kind: 'model.ended',
    path: brandAs('lead/kid[1]'),
    step: brandAs('lead/kid[1]#m1'),
    usage: noUsage,
    requests: 1,
    error: { code: 'model_failed', message: 'No.' },
  };
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1, 'agent__kid', 'agent')],
      [2, queued('lead/kid[1]', 'lead#t1')],
      [3, started('lead/kid[1]')],
      [4, modelOn('lead/kid[1]', 1)],
      [5, failed],
      [6, ended('lead/kid[1]', 'failed')],
      [7, toolOff('lead', 1, true)],
    ),
  );
  expect(failures(trace)).toEqual(['model']);
  expect(trace.lanes.map(({ errors }) => errors)).toEqual([0, 1]);
});

it('counts the failure of an instance whose steps were right', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1)],
      [2, toolOff('lead', 1, true)],
      [3, modelOn('lead', 1)],
      [4, modelOff('lead', 1)],
      [5, ended('lead', 'failed')],
    ),
  );
  expect(failures(trace)).toEqual(['instance', 'tool']);
  expect(trace.lanes[0]?.errors).toBe(2);
});

it('does not count what ended only because the run did', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1)],
      [2, { kind: 'run.finished', status: 'failed', usage: noUsage }],
    ),
  );
  expect([trace.spans.statusOf(1), failures(trace), trace.lanes[0]?.errors]).toEqual(['error', [], 0]);
});
