import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type RandomWorkflow, randomWorkflows } from '@/lib/testing/random-workflows';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { tries } from '@/lib/testing/tries';

/** Runs or resumes; expects that no step whose end is in the log is done again. */
async function run({ parsed, model: newModel }: RandomWorkflow, log: readonly RunEvent[]): Promise<TestRun> {
  const clock = fakeClock();
  const model = newModel(clock);
  const done = await runGraph({ parsed, model, clock, log });
  const ended = new Set<string>(log.flatMap((event) => (event.kind === 'model.ended' ? [event.step] : [])));
  expect(model.requests.map(({ step }) => step).filter((step) => ended.has(step))).toEqual([]);
  checkLog(done.log);
  return done;
}

const decisionsOf = ({ log }: TestRun) =>
  log
    .flatMap((event) => (event.kind === 'workflow.decided' ? [{ step: event.step, decision: event.decision }] : []))
    .sort((a, b) => (a.step < b.step ? -1 : 1));

describe('workflows of all types in each other', () => {
  it('give the same answer and the same decisions after a crash at any event', async () => {
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(randomWorkflows, fc.nat(1_000), async (workflow, at) => {
        const whole = await run(workflow, []);
        for (const card of workflow.parsed.cards) kinds.add(card.type);
        const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
        const second = await run(workflow, cut);
        expect(second.outcome).toEqual(whole.outcome);
        expect(decisionsOf(second)).toEqual(decisionsOf(whole));
      }),
      { numRuns: 100 },
    );
    expect(kinds.size).toBeGreaterThan(6);
  });

  it('do so at every single event of a few', async () => {
    let runs = 0;
    for (const workflow of fc.sample(randomWorkflows, { numRuns: tries(20), seed: 11 })) {
      const whole = await run(workflow, []);
      if (whole.log.length > 160) continue;
      for (let length = 0; length < whole.log.length; length += 1) {
        const next = await run(workflow, whole.log.slice(0, length));
        expect(next.outcome).toEqual(whole.outcome);
        expect(decisionsOf(next)).toEqual(decisionsOf(whole));
        runs += 1;
      }
    }
    expect(runs).toBeGreaterThan(tries(300));
  });
});
