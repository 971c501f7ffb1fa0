import { expect, test } from 'vitest';
import { countLanes } from './run-overlay';

const lane = (
  agentName: string,
  state: 'queued' | 'running' | 'ended',
  status: 'ok' | 'timeout' | 'cancelled' | 'open' = 'open',
) => ({
  agentName,
  state,
  status,
});

test('counts live, queued, waiting, done, stopped and failed instances per agent', () => {
  const lanes = [
    lane('lead', 'running'),
    lane('kid', 'queued'),
    lane('kid', 'running'),
    lane('kid', 'ended', 'ok'),
    lane('kid', 'ended', 'timeout'),
    lane('kid', 'ended', 'cancelled'),
  ];
  expect(Object.fromEntries(countLanes(lanes, new Map(), new Map([[2, 1]])))).toEqual({
    lead: { live: 1, queued: 0, waiting: 0, done: 0, stopped: 0, failed: 0 },
    kid: { live: 0, queued: 1, waiting: 1, done: 1, stopped: 1, failed: 1 },
  });
});

test('an agent whose counts did not change keeps its object', () => {
  const before = countLanes([lane('lead', 'running'), lane('kid', 'queued')], new Map());
  const after = countLanes([lane('lead', 'running'), lane('kid', 'running')], before);
  expect(after.get('lead')).toBe(before.get('lead'));
  expect(after.get('kid')).not.toBe(before.get('kid'));
});
