import { expect, it } from 'vitest';
import { log, started, stateChange } from '@/lib/testing/trace-log';
import { stateHistory } from './state-history';

it('tells each value of each key, and who wrote it', () => {
  const begun = started('lead');
  if (begun.kind !== 'instance.started') throw new Error('an instance starts with instance.started');
  const change = stateChange('lead', 1, 'lead/kid[1]');
  if (change.kind !== 'state.changed') throw new Error('state changes with state.changed');
  const events = log(
    [0, { ...begun, state: { n: 0, city: 'Paris' } }],
    [5, change],
    [9, { ...change, from: undefined, delta: { n: 7 }, outcome: 'refused', reason: 'not yours' }],
  );
  const [lead] = stateHistory(events.toReversed());
  expect(lead?.path).toBe('lead');
  expect(
    lead?.keys.map(({ key, values }) => [key, ...values.map(({ value, by, outcome }) => [value, by, outcome])]),
  ).toEqual([
    ['n', [0, undefined, 'committed'], [1, 'lead/kid[1]', 'committed'], [7, 'lead', 'refused']],
    ['city', ['Paris', undefined, 'committed']],
  ]);
  expect(stateHistory(log([0, { kind: 'run.resumed', worker: 'w' }]))).toEqual([]);
});
