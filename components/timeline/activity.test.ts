import { expect, it } from 'vitest';
import {
  answered,
  asked,
  begin,
  ended,
  fold,
  log,
  modelOff,
  modelOn,
  queued,
  started,
  toolOff,
  toolOn,
} from '@/lib/testing/trace-log';
import { measureActivity } from './activity';

const ms = 1000;

it('counts model calls and each source of tools by itself, and no delegation', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [0, modelOn('lead', 1)],
      [2, modelOff('lead', 1)],
      [2, toolOn('lead', 1, 'time')],
      [2, toolOn('lead', 2, 'add', 'function')],
      [2, toolOn('lead', 3, 'save', 'runtime')],
      [2, toolOn('lead', 4, 'agent__kid', 'agent')],
      [4, toolOff('lead', 1)],
      [6, toolOff('lead', 2, true)],
      [8, toolOff('lead', 3)],
      [9, toolOff('lead', 4)],
      [9, ended('lead')],
    ),
  );
  const { counts, failed, highest } = measureActivity(trace, 10 * ms, 5);
  const slices = (steps: Float64Array) => [...steps.subarray(0, 5)];
  expect({
    model: slices(counts.model),
    mcp: slices(counts.mcp),
    function: slices(counts.function),
    runtime: slices(counts.runtime),
  }).toEqual({
    model: [1, 1, 0, 0, 0],
    mcp: [0, 1, 1, 0, 0],
    function: [0, 1, 1, 1, 0],
    runtime: [0, 1, 1, 1, 1],
  });
  // At the end of the failed step, as on the slider.
  expect([...failed]).toEqual([0, 0, 0, 1, 0]);
  expect(highest).toBe(4);
});

it('leaves out the time in which a call waits for a person', () => {
  const trace = fold(
    log(
      [0, begin],
      [0, queued('lead')],
      [0, started('lead')],
      [1, toolOn('lead', 1)],
      [3, asked('lead', 1)],
      [9, answered('lead', 1, 'approve')],
      [11, toolOff('lead', 1)],
      [11, ended('lead')],
    ),
  );
  const { counts } = measureActivity(trace, 12 * ms, 6);
  expect([...counts.mcp.subarray(0, 6)]).toEqual([1, 1, 0, 0, 1, 1]);
});
