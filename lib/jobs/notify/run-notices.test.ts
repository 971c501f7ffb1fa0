import { expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { type EndedRun, endOfRun } from './run-notices';

const run = (more: Partial<EndedRun> = {}): EndedRun => ({
  ...{ id: 'r1', projectId: brandAs<ProjectId>('p1'), project: 'Shop', agent: 'lead', by: 'ann@x.org', trigger: null },
  ...{ status: 'completed', usd: 0.5, seconds: 30, mostUsd: null, mostSeconds: null },
  ...more,
});
const told = (more: Partial<EndedRun>) => endOfRun(run(more)).map(({ kind, words }) => [kind, words]);

test('a run that went well and a run that somebody stopped send no notice', () => {
  expect(told({})).toEqual([]);
  expect(told({ status: 'stopped' })).toEqual([]);
});

test('a failed run sends a notice to the person it belongs to', () => {
  expect(endOfRun(run({ status: 'failed' }))).toMatchObject([
    { kind: 'run.failed', words: 'A run of lead in Shop failed', people: ['ann@x.org'], href: '/r/r1' },
  ]);
  expect(endOfRun(run({ status: 'failed', by: null, agent: null }))).toMatchObject([
    { words: 'A run of Shop failed', people: [] },
  ]);
});

test('a run of a trigger that failed or is above the line sends a notice to the maker of the trigger and the admins', () => {
  const ofTrigger = { trigger: 'nightly', by: 'ann@x.org', usd: 2, mostUsd: 1 };
  const whom = { people: ['ann@x.org'], roles: ['admin'], href: '/r/r1' };
  expect(endOfRun(run({ ...ofTrigger, status: 'failed' }))).toMatchObject([
    { ...whom, kind: 'run.failed', words: 'A run of lead in Shop, which the trigger nightly started, failed' },
    {
      ...{ ...whom, kind: 'run.over' },
      words: 'A run of lead in Shop, which the trigger nightly started, cost $2.00, more than $1',
    },
  ]);
  // The trigger is deleted: nobody knows who made it.
  expect(endOfRun(run({ ...ofTrigger, by: null, status: 'failed' }))[0]).toMatchObject({
    people: [],
    roles: ['admin'],
  });
});

test('a run above the line in cost, time or both sends a notice, and a run on the line does not', () => {
  const line = { mostUsd: 0.5, mostSeconds: 30 };
  expect(told(line)).toEqual([]);
  expect(told({ ...line, usd: 0.75 })).toEqual([['run.over', 'A run of lead in Shop cost $0.75, more than $0.5']]);
  expect(told({ ...line, seconds: 61.4 })).toEqual([['run.over', 'A run of lead in Shop took 61 s, more than 30 s']]);
  expect(told({ ...line, status: 'failed', usd: 1, seconds: 31 })).toEqual([
    ['run.failed', 'A run of lead in Shop failed'],
    ['run.over', 'A run of lead in Shop cost $1.00, more than $0.5 and took 31 s, more than 30 s'],
  ]);
  expect(told({ ...line, usd: null, seconds: null })).toEqual([]);
});
