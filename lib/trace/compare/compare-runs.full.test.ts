import { expect, it } from 'vitest';
import { runOf, withOtherEnd } from '@/lib/testing/compared-run';
import { deepRun, largeRun } from '@/lib/testing/large-run';
import { compareRuns } from './compare-runs';

it('compares a chain of 5,000 delegations', () => {
  const run = runOf(deepRun(5_000));
  const { differences: found, laneInB } = compareRuns(run, runOf(deepRun(10)));
  expect(laneInB.filter((lane) => lane >= 0)).toHaveLength(10);
  expect(found.map(({ what }) => what)).toContain('only-a');
  expect(compareRuns(run, run).laneInB).toHaveLength(5_000);
});

it('compares 20,000 children of one parent', () => {
  const run = runOf(largeRun({ spans: 40_000, lanes: 20_001, seed: 1 }));
  const last = run.trace.lanes[20_000]?.span ?? 0;
  const { differences: found, laneInB } = compareRuns(run, withOtherEnd(run, last));
  expect([...laneInB]).toEqual(run.trace.lanes.map(({ index }) => index));
  expect(found).toEqual([{ what: 'answered', a: last, b: last, seq: run.trace.spans.endSeq.at(last) }]);
});
