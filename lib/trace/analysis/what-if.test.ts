import { describe, expect, it } from 'vitest';
import { seededRandom } from '@/lib/testing/seeded-random';
import { randomWork, simulateRun, type Work } from '@/lib/testing/simulate-run';
import { begin, ended, finish, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { type Batch, batchesOf } from './batches';
import { type RunColumns, runColumns } from './run-columns';
import { lengthUnder, limitsUpTo, whatIf } from './what-if';
import { ownTimes, workTree } from './work-tree';

function recorded(work: Work, limitOf: (agent: string) => number) {
  const { events, length } = simulateRun(work, limitOf);
  const trace = fold(events);
  const run = runColumns(trace, trace.lastAt);
  const tree = workTree(run);
  return { run, length, batches: batchesOf(tree, ownTimes(tree)) };
}

const kid = (ms: number): Work => ({ agent: 'kid', steps: [{ model: ms }] });
const msUnder = (run: RunColumns, batches: readonly Batch[], limit: number, agent?: string) =>
  lengthUnder(run, batches, { agent, limit }) / 1000;

describe('what if max_parallel were another number', () => {
  const lead: Work = {
    agent: 'lead',
    steps: [{ model: 10 }, { batch: [kid(50), kid(70), kid(40), kid(45)] }, { model: 5 }],
  };

  it('says how long a batch takes with each limit', () => {
    const { run, batches } = recorded(lead, () => 2);
    expect([1, 2, 3, 4, 9].map((limit) => msUnder(run, batches, limit))).toEqual([220, 130, 100, 85, 85]);
  });

  it('totals what waited', () => {
    const { run, batches } = recorded(lead, () => 2);
    const [agent] = whatIf(run, batches).agents;
    expect(agent).toMatchObject({
      name: 'lead',
      calls: 4,
      largest: 4,
      most: 2,
      waiting: 2,
      waited: 120_000,
      longestWait: 70_000,
    });
    expect(agent?.lengths.map(({ limit, length }) => [limit, length / 1000])).toEqual([
      [1, 220],
      [2, 130],
      [3, 100],
      [4, 85],
    ]);
  });

  it('gives the length that a simulated scheduler gives, for every agent and for one', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seededRandom(seed);
      const work = randomWork(random);
      const before = { lead: 1 + random.below(8), mid: 1 + random.below(8) };
      const limit = 1 + random.below(9);
      const given = (agent: string) => (agent === 'lead' ? before.lead : before.mid);
      const { run, batches } = recorded(work, given);
      const all = simulateRun(work, () => limit).length;
      const one = simulateRun(work, (agent) => (agent === 'lead' ? limit : given(agent))).length;
      expect({ seed, all: msUnder(run, batches, limit), one: msUnder(run, batches, limit, 'lead') }).toEqual({
        seed,
        all,
        one,
      });
    }
  });

  it('keeps the recorded length when the limit is the recorded one', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seededRandom(seed);
      const limit = 1 + random.below(6);
      const { run, batches, length } = recorded(randomWork(random), () => limit);
      expect({ seed, ms: msUnder(run, batches, limit) }).toEqual({ seed, ms: length });
    }
  });

  it('counts no wait of children that only got ready, and no permit that a call has given back', () => {
    const late = (path: string, n: number, from: number, to: number) =>
      [
        [0, toolOn('lead', n, 'agent__kid', 'agent')],
        [0, queued(path, `lead#t${n}`)],
        [from, started(path)],
        [to, ended(path)],
        [to + 5, toolOff('lead', n)],
      ] as const;
    const bodies = [
      ...late('lead/kid[1]', 1, 30, 60),
      ...late('lead/kid[2]', 2, 30, 90),
      ...late('lead/kid[3]', 3, 61, 100),
    ].toSorted(([a], [b]) => a - b);
    const trace = fold(
      log([0, begin], [0, queued('lead')], [0, started('lead')], ...bodies, [105, ended('lead')], [105, finish]),
    );
    const run = runColumns(trace, trace.lastAt);
    const tree = workTree(run);
    const batches = batchesOf(tree, ownTimes(tree));
    expect(batches).toMatchObject([{ most: 2, waiting: 1, waited: 31_000 }]);
    expect([1, 2, 3].map((limit) => msUnder(run, batches, limit))).toEqual([164, 104, 95]);
  });

  it('knows a run without delegations', () => {
    const { run, batches } = recorded({ agent: 'lead', steps: [{ model: 10 }] }, () => 1);
    expect(whatIf(run, batches)).toEqual({ agents: [] });
    expect(msUnder(run, batches, 1)).toBe(10);
  });

  it('tries every limit of a small batch and some of a large one', () => {
    expect(limitsUpTo(4)).toEqual([1, 2, 3, 4]);
    const many = limitsUpTo(20_000);
    expect(many.length).toBeLessThan(60);
    expect(many.at(-1)).toBe(20_000);
  });
});
