import { expect, it } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { callKey, toolCalls } from './run-graph-calls';

const onServer = (n: number) => ({ ...toolOn('lead', n, 'clock__now'), serverName: 'clock' });
const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, onServer(1)],
    [2, toolOff('lead', 1)],
    [3, onServer(2)],
    [4, toolOn('lead', 3, 'add', 'function')],
    [5, toolOn('lead', 4, 'agent__kid', 'agent')],
    [6, toolOn('lead', 5, 'set_state', 'runtime')],
  ),
);

const counted = (moment?: number) =>
  [...toolCalls(trace, moment)].map(([key, byLane]) => [key, ...[...byLane.values()].map(Object.values)]);

it('counts calls by server and by function, and no delegation', () => {
  expect(counted()).toEqual([
    [callKey('server', 'clock'), [2, 1]],
    [callKey('function', 'add'), [1, 1]],
  ]);
});

it('counts those that began up to a moment, and which of them run', () => {
  expect(counted(1500)).toEqual([[callKey('server', 'clock'), [1, 1]]]);
  expect(counted(2500)).toEqual([[callKey('server', 'clock'), [1, 0]]]);
});
