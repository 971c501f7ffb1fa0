import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { delegationOptions, memoryOptions, type RandomGraph, randomGraphs } from '@/lib/testing/random-graphs';
import { randomWorkflows } from '@/lib/testing/random-workflows';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { takenLog } from '@/lib/testing/taken-log';
import { tries } from '@/lib/testing/tries';

const next = { runId: brandAs<RunId>('next'), correlationId: brandAs<CorrelationId>('n0') };

describe('a run from a step of another one', () => {
  it('repeats no call before the step, and ends with the same result', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(), fc.nat(1_000), async (graph, at) => {
        const { whole, again } = await runFrom(graph, at);
        expect(again.outcome).toEqual(whole.outcome);
      }),
      { numRuns: tries(100) },
    );
  });

  it('does so with any options of its delegations', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs({}, delegationOptions), fc.nat(1_000), async (graph, at) => {
        const { whole, again } = await runFrom(graph, at);
        expect({ ...again.outcome, usage: undefined }).toEqual({ ...whole.outcome, usage: undefined });
        expect(statesOf(again.log)).toEqual(statesOf(whole.log));
      }),
      { numRuns: tries(100) },
    );
  });

  it('does so with sessions that calls of one parent continue', async () => {
    const reused = memoryOptions.map(({ session }) => (session === 'reuse' ? { session } : {}));
    await fc.assert(
      fc.asyncProperty(randomGraphs({}, reused), fc.nat(1_000), async (graph, at) => {
        const { whole, again } = await runFrom(graph, at);
        expect({ ...again.outcome, usage: undefined }).toEqual({ ...whole.outcome, usage: undefined });
      }),
      { numRuns: tries(100) },
    );
  });

  it('closes every lane when children have time limits', async () => {
    const graphs = randomGraphs({ child_timeout_ms: 45 }, delegationOptions);
    await fc.assert(
      fc.asyncProperty(graphs, fc.nat(1_000), async (graph, at) => {
        const whole = await run(graph, []);
        const starts = whole.log.filter(({ kind }) => kind.endsWith('.started'));
        const point = starts[Math.floor((at / 1_001) * starts.length)]?.seq ?? 1;
        checkLog((await run(graph, takenLog(whole.log, point, next))).log);
      }),
      { numRuns: tries(100) },
    );
  });

  it('does so for workflows of workflows', async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkflows, fc.nat(1_000), async ({ parsed, model }, at) => {
        const graph: RandomGraph = { parsed, fakes: (clock) => ({ model: model(clock), tools: fakeTools({}) }) };
        const { whole, again } = await runFrom(graph, at);
        expect(again.outcome).toEqual(whole.outcome);
      }),
      { numRuns: tries(100) },
    );
  });
});

describe('what comes before a step', () => {
  const kids = ['one', 'two', 'three'].map((text) => ({ tool: 'agent__kid', arguments: { text } }));
  const parsed = graphOf('lead > kid');
  const fakes: RandomGraph['fakes'] = (clock) => ({
    model: scriptedModel(
      {
        lead: [{ calls: kids }, 'end'],
        kid: [
          { calls: [{ tool: 'box__work' }], delayMs: 10 },
          { text: 'kid says', delayMs: 30 },
        ],
      },
      clock,
    ),
    tools: fakeTools({ box__work: () => 'worked' }),
  });

  it('has the calls of the batch that were asked for earlier, to their end', async () => {
    const whole = await run({ parsed, fakes }, []);
    const again = await run({ parsed, fakes }, takenLog(whole.log, seqOf(whole.log, 'lead/kid[2]#t1'), next));
    // The first call of the third child had begun before, so its answer counts too.
    expect(again.ran).toEqual(['lead/kid[2]#m2', 'lead/kid[3]#m2', 'lead#m2', 'lead/kid[2]#t1', 'lead/kid[3]#t1']);
    expect(again.outcome).toEqual(whole.outcome);
  });

  it('has nothing of why and how the run was stopped', async () => {
    const stop = new AbortController();
    const clock = fakeClock();
    void clock.sleep(25).then(() => stop.abort());
    const { model, tools } = fakes(clock);
    const stopped = await runGraph({ parsed, model, tools: { mcp: tools }, clock, signal: stop.signal });
    expect(stopped.outcome.status).toBe('cancelled');
    const again = await run({ parsed, fakes }, takenLog(stopped.log, seqOf(stopped.log, 'lead/kid[3]#m2'), next));
    expect(again.outcome).toEqual((await run({ parsed, fakes }, [])).outcome);
    expect(again.ran.filter((step) => step.startsWith('lead/'))).toEqual(
      ['#m2', '#m2', '#m2'].map((one, i) => `lead/kid[${i + 1}]${one}`),
    );
    checkLog(again.log);
  });
});

function seqOf(log: readonly RunEvent[], step: string): number {
  return log.find((event) => event.kind.endsWith('.started') && 'step' in event && event.step === step)?.seq ?? 0;
}

/** Runs a graph, and then again from one of its steps. */
async function runFrom(
  graph: RandomGraph,
  place: number,
): Promise<{ readonly whole: TestRun; readonly again: TestRun }> {
  const whole = await run(graph, []);
  const starts = whole.log.filter(({ kind }) => kind.endsWith('.started'));
  const point = starts[Math.floor((place / 1_001) * starts.length)]?.seq ?? 1;
  const log = takenLog(whole.log, point, next);
  const again = await run(graph, log);
  checkLog(again.log);
  expect(again.log.some(({ kind }) => kind === 'run.resumed')).toBe(false);
  const before = new Set<string>();
  for (const event of whole.log) {
    if (event.seq >= point) break;
    if (event.kind === 'model.started' || (event.kind === 'tool.started' && event.source === 'mcp'))
      before.add(event.step);
  }
  expect(again.ran.filter((step) => before.has(step))).toEqual([]);
  expect(new Set(again.ran).size).toBe(again.ran.length);
  expect(again.log.filter((event) => event.kind === 'tool.started' && event.attempt > 1)).toEqual([]);
  return { whole, again };
}

async function run(
  graph: RandomGraph,
  log: readonly RunEvent[],
): Promise<TestRun & { readonly ran: readonly string[] }> {
  const clock = fakeClock();
  const { model, tools } = graph.fakes(clock);
  const request = log.length > 0 ? next : {};
  const done = await runGraph({ parsed: graph.parsed, model, tools: { mcp: tools }, clock, log, request });
  return { ...done, ran: [...model.requests.map(({ step }) => step), ...tools.calls.map(({ step }) => step)] };
}

/** The state of every instance as its record tells it. */
function statesOf(log: readonly RunEvent[]): Record<string, unknown> {
  const states: Record<string, unknown> = {};
  for (const event of log) {
    if (event.kind !== 'state.changed' || event.outcome !== 'committed') continue;
    states[event.path] = { ...(states[event.path] as object | undefined), ...event.delta };
  }
  return states;
}
