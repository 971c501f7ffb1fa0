import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { runOf, withOtherEnd } from '@/lib/testing/compared-run';
import { brokenRun, deepRun, largeRun } from '@/lib/testing/large-run';
import { eventsOfPlan, type InstancePlan, randomPlan, type StepPlan } from '@/lib/testing/planned-run';
import { seededRandom } from '@/lib/testing/seeded-random';
import { tries } from '@/lib/testing/tries';
import { noFigures, runFigures } from '@/lib/trace/figures';
import { spanName } from '@/lib/trace/trace';
import { agentRows, deltaOf, instanceRows } from './compare-figures';
import { type ComparedRun, compareRuns, type Difference } from './compare-runs';
import { sortComparedRows, sortFromText, sortToText } from './sort-rows';

const planned = (plan: InstancePlan) => runOf(eventsOfPlan(plan));
const tool = (name: string, asked = '', answered = 'ok'): StepPlan => ({ kind: 'tool', name, asked, answered, ms: 5 });
const lead = (...steps: StepPlan[]): InstancePlan => ({ agent: 'lead', input: 'go', answer: 'done', steps });
const kid = (input: string, ...steps: StepPlan[]): StepPlan => ({
  ...tool('agent__kid', input),
  child: { agent: 'kid', input, answer: 'ok', steps },
});

/** `what name of a | name of b`. */
function words({ trace: a }: ComparedRun, { trace: b }: ComparedRun, { what, ...spans }: Difference): string {
  const left = spans.a === undefined ? '-' : spanName(a, spans.a);
  const right = spans.b === undefined ? '-' : spanName(b, spans.b);
  return `${what} ${left} | ${right}`;
}

function differences(a: InstancePlan, b: InstancePlan): string[] {
  const [left, right] = [planned(a), planned(b)];
  return compareRuns(left, right).differences.map((one) => words(left, right, one));
}

const measured = (run: ComparedRun) => ({ trace: run.trace, now: run.trace.lastAt });

describe('compareRuns', () => {
  it('names each kind of difference in the order in which it happened', () => {
    const before = lead(tool('read', '1'), tool('write', '2'), tool('search', '3'), tool('read', '4'));
    const after = lead(tool('read', '1', 'other'), tool('write', '9'), tool('read', '4'), tool('write', 'more'));
    expect(differences(before, after)).toEqual([
      'answered read | read',
      'asked write | write',
      'only-a search | -',
      'only-b - | write',
    ]);
  });

  it('pairs children whose calls another tool has not recorded', () => {
    const before = lead(kid('a', tool('read', 'a')), kid('b', tool('read', 'b')));
    const calls = new Set(['lead#t1', 'lead#t2']);
    const withoutCalls = eventsOfPlan(before).flatMap((event): RunEvent[] => {
      if ('step' in event && event.step !== undefined && calls.has(event.step)) return [];
      if (event.kind !== 'instance.queued') return [event];
      const { parentStep: _, ...queued } = event;
      return [queued];
    });
    const [a, b] = [planned(before), runOf(withoutCalls)];
    const compared = compareRuns(a, b);
    expect([...compared.laneInB]).toEqual([0, 1, 2]);
    expect(compared.differences.map((one) => words(a, b, one))).toEqual([
      'only-a agent__kid | -',
      'only-a agent__kid | -',
    ]);
    expect([...compareRuns(b, a).laneInB]).toEqual([0, 1, 2]);
  });

  it('pairs another tool in the same place', () => {
    const [before, after] = [lead(tool('read', '1'), tool('end')), lead(tool('write', '2'), tool('end'))];
    expect(differences(before, after)).toEqual(['name read | write']);
  });

  it('keeps instances together with their calls when one run has more calls', () => {
    const before = lead(kid('a', tool('read', 'a')), kid('c', tool('read', 'c')));
    const after = lead(kid('a', tool('read', 'a')), kid('b', tool('read', 'b')), kid('c', tool('read', 'c')));
    const [a, b] = [planned(before), planned(after)];
    const compared = compareRuns(a, b);
    expect([...compared.laneInB]).toEqual([0, 1, 3]);
    expect(compared.differences.map((one) => words(a, b, one))).toEqual(['only-b - | agent__kid']);
    const rows = instanceRows(measured(a), measured(b), compared);
    expect(rows.map(({ laneA, laneB }) => [laneA, laneB])).toEqual([
      [0, 0],
      [1, 1],
      [undefined, 2],
      [2, 3],
    ]);
    expect(agentRows(rows).map(({ name, delta }) => [name, delta.tools])).toEqual([
      ['lead', 1],
      ['kid', 1],
    ]);
  });

  it('takes equal calls that began in another order for the same', () => {
    expect(differences(lead(kid('a'), kid('b')), lead(kid('b'), kid('a')))).toEqual([]);
  });

  it('compares only names and statuses without digests', () => {
    const a = { ...planned(lead(tool('read', '1'))), digests: undefined };
    const b = planned(lead({ ...tool('read', '2'), fails: true }));
    expect(compareRuns(a, b).differences.map((one) => words(a, b, one))).toEqual(['answered read | read']);
  });

  it('does not miss what a run that goes on may still do', () => {
    const all = eventsOfPlan(lead(tool('read', '1'), kid('a'), tool('write', '3')));
    const whole = runOf(all);
    for (let count = 1; count < all.length; count++) {
      expect(compareRuns(whole, runOf(all.slice(0, count))).differences).toEqual([]);
      expect(compareRuns(runOf(all.slice(0, count)), whole).differences).toEqual([]);
    }
  });

  it('compares entry agents of other names, as imports have them', () => {
    const [a, b] = [planned(lead(tool('read'))), planned({ ...lead(tool('read')), agent: 'main' })];
    expect([...compareRuns(a, b).laneInB]).toEqual([0]);
    expect(compareRuns(a, b).differences).toEqual([]);
  });

  it('takes a broken run and an empty one', () => {
    const broken = runOf(brokenRun());
    expect(compareRuns(broken, broken).differences).toEqual([]);
    expect(compareRuns(broken, runOf([])).differences).toEqual([]);
  });
});

describe('property: any two runs', () => {
  const seeds = fc.tuple(fc.nat(1e9), fc.nat(1e9));
  const planOf = (seed: number) => randomPlan(seededRandom(seed), 60);

  it('finds no difference of a run with itself, and each lane and step is its own partner', () => {
    fc.assert(
      fc.property(fc.nat(1e9), (seed) => {
        const run = planned(planOf(seed));
        const { differences: found, laneInB, spanInA, spanInB } = compareRuns(run, planned(planOf(seed)));
        expect(found).toEqual([]);
        expect([...laneInB]).toEqual(run.trace.lanes.map(({ index }) => index));
        expect(spanInA).toEqual(spanInB);
        for (const [span, partner] of spanInB.entries()) expect(partner).toBe(span);
        expect(deltaOf(runFigures(measured(run)), runFigures(measured(run)))).toEqual(noFigures);
      }),
      { numRuns: tries(100) },
    );
  });

  it('gives negated deltas when the runs are swapped, and pairs both ways', () => {
    fc.assert(
      fc.property(seeds, ([one, other]) => {
        const [a, b] = [planned(planOf(one)), planned(planOf(other))];
        for (const [x, y] of [
          [a, b],
          [b, a],
        ] as const) {
          const { laneInA, laneInB, spanInA, spanInB } = compareRuns(x, y);
          for (const [lane, partner] of laneInB.entries()) if (partner >= 0) expect(laneInA[partner]).toBe(lane);
          for (const [span, partner] of spanInB.entries()) if (partner >= 0) expect(spanInA[partner]).toBe(span);
        }
        const there = deltaOf(runFigures(measured(a)), runFigures(measured(b)));
        const back = deltaOf(runFigures(measured(b)), runFigures(measured(a)));
        for (const [name, value] of Object.entries(there)) {
          expect(value + (back[name as keyof typeof back] ?? Number.NaN)).toBe(0);
        }
        const rows = instanceRows(measured(a), measured(b), compareRuns(a, b));
        const sum = agentRows(rows).reduce((total, { delta }) => total + delta.tools, 0);
        expect(sum).toBe(there.tools);
      }),
      { numRuns: tries(100) },
    );
  });

  it('finds the one step that was changed first', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.nat(), fc.constantFrom('asked', 'answered', 'name', 'fails'), (seed, at, what) => {
        const plan = planOf(seed);
        const changed = changeStep(plan, at, what);
        const [a, b] = [planned(plan), planned(changed.plan)];
        const { differences: found } = compareRuns(a, b);
        const [first] = found;
        expect(first).toBeDefined();
        const seq = changed.isEnd ? changed.endSeq(a) : changed.startSeq(a);
        expect(first?.seq).toBe(seq);
        expect(compareRuns(b, a).differences[0]?.seq).toBe(seq);
      }),
      { numRuns: tries(150) },
    );
  });
});

/** Changes the step with a number, in the order in which steps begin. */
function changeStep(plan: InstancePlan, at: number, what: 'asked' | 'answered' | 'name' | 'fails') {
  let count = 0;
  const countSteps = (of: InstancePlan): void => {
    for (const { child } of of.steps) {
      count += 1;
      if (child !== undefined) countSteps(child);
    }
  };
  countSteps(plan);
  const wanted = at % count;
  let next = 0;
  const visit = (of: InstancePlan): InstancePlan => ({
    ...of,
    steps: of.steps.map((step) => {
      const isIt = next++ === wanted;
      const child = step.child && visit(step.child);
      const same = { ...step, ...(child && { child }) };
      if (!isIt) return same;
      if (what === 'fails') return { ...same, fails: step.fails !== true, answered: 'changed' };
      return { ...same, [what]: 'changed' };
    }),
  });
  const changed = visit(plan);
  const stepSpans = ({ trace }: ComparedRun) =>
    Array.from({ length: trace.spans.length }, (_, span) => span).filter((span) =>
      ['model', 'tool'].includes(trace.spans.kindOf(span)),
    );
  return {
    plan: changed,
    isEnd: what === 'answered' || what === 'fails',
    startSeq: (run: ComparedRun) => run.trace.spans.startSeq.at(stepSpans(run)[wanted] ?? -1),
    endSeq: (run: ComparedRun) => run.trace.spans.endSeq.at(stepSpans(run)[wanted] ?? -1),
  };
}

describe('large and deep runs', () => {
  // Larger ones are in compare-runs.full.test.ts.
  it('compares a chain of 1,000 delegations', () => {
    const run = runOf(deepRun(1_000));
    const { differences: found, laneInB } = compareRuns(run, runOf(deepRun(10)));
    expect(laneInB.filter((lane) => lane >= 0)).toHaveLength(10);
    expect(found.map(({ what }) => what)).toContain('only-a');
    expect(compareRuns(run, run).laneInB).toHaveLength(1_000);
  });

  it('compares 2,000 children of one parent', () => {
    const run = runOf(largeRun({ spans: 4_000, lanes: 2_001, seed: 1 }));
    const last = run.trace.lanes[2_000]?.span ?? 0;
    const { differences: found, laneInB } = compareRuns(run, withOtherEnd(run, last));
    expect([...laneInB]).toEqual(run.trace.lanes.map(({ index }) => index));
    expect(found).toEqual([{ what: 'answered', a: last, b: last, seq: run.trace.spans.endSeq.at(last) }]);
  });

  it('pairs children by their order when no two have the same input', () => {
    const differing = (count: number) => {
      const run = runOf(largeRun({ spans: count * 2, lanes: count + 1, seed: 1 }));
      const other = { ...run, digests: run.digests?.map((digest, place) => (digest === 0 ? 0 : digest ^ (place + 1))) };
      return compareRuns(run, other).laneInB.filter((lane) => lane >= 0).length;
    };
    expect(differing(4_000)).toBe(4_001);
  });
});

describe('order of the rows', () => {
  const [a, b] = [lead(kid('x', tool('read')), kid('y')), lead(kid('x'), kid('y', tool('read'), tool('read')))].map(
    planned,
  );
  if (a === undefined || b === undefined) throw new Error('There are two runs.');
  const rows = instanceRows(measured(a), measured(b), compareRuns(a, b));
  const names = (sort: string) => sortComparedRows(rows, sortFromText(sort)).map(({ name }) => name);

  it('sorts by how much the runs differ', () => {
    expect(names('-tools')).toEqual(['kid[2]', 'lead', 'kid[1]']);
    expect(names('tools')).toEqual(['kid[1]', 'lead', 'kid[2]']);
    expect(names('-name')).toEqual(['lead', 'kid[2]', 'kid[1]']);
    expect(names('anything')).toEqual(['lead', 'kid[1]', 'kid[2]']);
  });

  it('goes through the address', () => {
    for (const text of ['-time', 'name', 'order', '-order']) expect(sortToText(sortFromText(text))).toBe(text);
  });
});
