import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventBody, InstanceStatus } from '@/lib/runtime/record/events';
import { begin, decided, ended, finish, fold, log, origin, queued, started, toolOn } from '@/lib/testing/trace-log';
import { type PlanStory, planStory } from './plan-story';

const plan = (iteration: number, ...agents: readonly string[]) =>
  decided('boss', iteration, {
    what: 'plan',
    iteration,
    description: '',
    tasks: agents.map((agent, i) => ({ agent, description: `task ${i + 1}` })),
    isComplete: agents.length === 0,
  });

/** The call and the instance of a task. */
const begun = (n: number, child: string): EventBody[] => [
  toolOn('boss', n, 'agent__x', 'agent'),
  queued(`boss/${child}`, `boss#t${n}`),
  started(`boss/${child}`),
];

const events = log(
  ...[begin, queued('boss'), started('boss')].map((body) => [0, body] as const),
  [10, plan(1, 'writer', 'critic', 'writer')],
  ...begun(1, 'writer[1]').map((body) => [11, body] as const),
  ...begun(2, 'critic[1]').map((body) => [11, body] as const),
  ...begun(3, 'writer[2]').map((body) => [11, body] as const),
  [20, ended('boss/writer[1]')],
  [21, ended('boss/critic[1]', 'failed')],
  [30, ended('boss/writer[2]')],
  [40, plan(2, 'critic', 'ghost')],
  ...begun(4, 'critic[2]').map((body) => [41, body] as const),
  [50, ended('boss/critic[2]')],
  [60, decided('boss', 3, { what: 'plan_end', reason: 'iterations', steps: 2 })],
);

const words = ({ steps }: PlanStory) =>
  steps.map(({ tasks }) => tasks.map(({ agent, status, lane }) => `${lane?.instanceName ?? agent} ${status}`));

function at(ms: number | undefined): PlanStory {
  const trace = fold(events);
  const [boss] = trace.lanes;
  if (boss === undefined) throw new Error('No lane');
  return planStory(trace, boss, ms === undefined ? undefined : ms * 1000);
}

it('matches each task with the instance that works on it, in the order of the calls', () => {
  const story = at(undefined);
  expect(words(story)).toEqual([
    ['writer[1] ok', 'critic[1] error', 'writer[2] ok'],
    ['critic[2] ok', 'ghost skipped'],
  ]);
  expect([story.done, story.total, story.end]).toEqual([3, 5, { what: 'plan_end', reason: 'iterations', steps: 2 }]);
});

it('shows the plan as it was at a moment', () => {
  expect(words(at(9))).toEqual([]);
  expect(words(at(10))).toEqual([['writer waiting', 'critic waiting', 'writer waiting']]);
  expect(words(at(25))).toEqual([['writer[1] ok', 'critic[1] error', 'writer[2] open']]);
  expect(words(at(45))[1]).toEqual(['critic[2] open', 'ghost waiting']);
  expect(at(59).end).toBeUndefined();
});

it('gives a task that never began to a run that ended in between as not run', () => {
  const trace = fold(log([0, begin], [0, queued('boss')], [0, started('boss')], [1, plan(1, 'writer')], [2, finish]));
  const [boss] = trace.lanes;
  expect(boss && words(planStory(trace, boss))).toEqual([['writer skipped']]);
});

it('takes the latest attempt of a call', () => {
  const again = { ...queued('boss/writer[1.2]', 'boss#t1'), agentName: 'writer' } as EventBody;
  const trace = fold(
    log(
      ...[begin, queued('boss'), started('boss'), plan(1, 'writer', 'writer'), ...begun(1, 'writer[1]')].map(
        (body) => [0, body] as const,
      ),
      [1, ended('boss/writer[1]', 'failed')],
      [1, again],
    ),
  );
  const [boss] = trace.lanes;
  expect(boss && words(planStory(trace, boss))).toEqual([['writer[1.2] queued', 'writer waiting']]);
});

it('property: the plan at t is the plan of the events until t', () => {
  fc.assert(
    fc.property(randomPlans, fc.nat(60), (random, ms) => {
      const [whole, early] = [fold(random), fold(random.filter((event) => event.at - origin <= ms))];
      const [a, b] = [whole.lanes[0], early.lanes[0]];
      const now = a && planStory(whole, a, ms * 1000);
      const then = b && planStory(early, b);
      expect(now && [words(now), now.done, now.total, now.end]).toEqual(
        then && [words(then), then.done, then.total, then.end],
      );
    }),
  );
});

/** Plans of up to four tasks, each with instances that begin, end or fail before the next plan, or never. */
const randomPlans = fc
  .array(
    fc.record({
      agents: fc.array(fc.constantFrom('writer', 'critic'), { maxLength: 4 }),
      reach: fc.array(fc.nat(2), { minLength: 4, maxLength: 4 }),
      status: fc.constantFrom<InstanceStatus>('completed', 'failed'),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((steps) => {
    const bodies: [number, EventBody][] = [
      [0, begin],
      [0, queued('boss')],
      [0, started('boss')],
    ];
    let calls = 0;
    steps.forEach(({ agents, reach, status }, i) => {
      bodies.push([i * 20 + 1, plan(i + 1, ...agents)]);
      agents.forEach((agent, task) => {
        if (reach[task] === 0) return;
        calls += 1;
        const child = `${agent}[${calls}]`;
        for (const body of begun(calls, child)) bodies.push([i * 20 + 2, body]);
        if (reach[task] === 2) bodies.push([i * 20 + 5 + task, ended(`boss/${child}`, status)]);
      });
    });
    return log(...bodies);
  });
