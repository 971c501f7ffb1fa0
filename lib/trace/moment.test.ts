import { expect, it } from 'vitest';
import { begin, ended, finish, fold, log, queued, started } from '@/lib/testing/trace-log';
import { laneStatusAt } from './moment';

const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, queued('lead/kid[1]')],
    [2, started('lead/kid[1]')],
    [3, ended('lead/kid[1]', 'failed')],
    [4, queued('lead/kid[2]')],
    [5, finish],
  ),
);

it('says what an instance was at a moment, the moment of a change included', () => {
  const [, first, second] = trace.lanes;
  if (first === undefined || second === undefined) throw new Error('No lanes');
  const seen = [0, 1, 2, 3, 4, 5].map((ms) => [laneStatusAt(first, ms * 1000), laneStatusAt(second, ms * 1000)]);
  expect(seen).toEqual([
    [undefined, undefined],
    ['queued', undefined],
    ['open', undefined],
    ['error', undefined],
    ['error', 'queued'],
    ['error', 'cancelled'],
  ]);
  expect([laneStatusAt(first, undefined), laneStatusAt(second, undefined)]).toEqual(['error', 'cancelled']);
});
