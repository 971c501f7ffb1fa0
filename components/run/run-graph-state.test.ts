import { expect, test } from 'vitest';
import { begin, ended, fold, log, queued, started } from '@/lib/testing/trace-log';
import { agentState } from './run-graph-state';

const ms = 1000;
const { lanes } = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [10, queued('lead/kid[1]')],
    [20, started('lead/kid[1]')],
    [30, queued('lead/kid[2]')],
    [40, ended('lead/kid[1]')],
    [50, started('lead/kid[2]')],
  ),
);
const kids = lanes.filter((lane) => lane.path.includes('kid'));
const at = (moment: number | undefined) => {
  const { status, instances, live, counts } = agentState(kids, moment);
  return [status, instances, live, counts];
};

test('an agent counts the instances that exist at a moment, and shows the most important status', () => {
  expect([5 * ms, 15 * ms, 35 * ms, 45 * ms, undefined].map(at)).toEqual([
    [undefined, 0, 0, ''],
    ['queued', 1, 0, '1 queued'],
    ['running', 2, 1, '1 running, 1 queued'],
    ['queued', 2, 0, '1 queued, 1 completed'],
    ['running', 2, 1, '1 running, 1 completed'],
  ]);
});

test('an agent leads to its first instance', () => {
  expect(agentState(kids, undefined).lane).toBe(kids[0]?.index);
  expect(agentState([], undefined)).toEqual({ status: undefined, instances: 0, live: 0, counts: '', lane: undefined });
});
