import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { checkLog } from '@/lib/testing/check-log';
import { fakeClock } from '@/lib/testing/fake-clock';
import { graphOf } from '@/lib/testing/graph-of';
import { delegationOptions, type RandomGraph, randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';

describe('a run that goes on from a log cut anywhere', () => {
  it('gives the same answer and repeats no step whose end was recorded', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(), fc.nat(1_000), fc.nat(8), async (graph, at, again) => {
        const whole = await run(graph, []);
        const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
        const second = await run(graph, cut);
        expect(second.outcome).toEqual(whole.outcome);
        checkLog(second.log);
        // And once more, a few events later.
        const third = await run(graph, second.log.slice(0, cut.length + again));
        expect(third.outcome).toEqual(whole.outcome);
        checkLog(third.log);
      }),
      { numRuns: tries(60) },
    );
  });

  it('does so with any options of its delegations, and ends with the same state', async () => {
    const withOptions = randomGraphs({}, delegationOptions);
    await fc.assert(
      fc.asyncProperty(withOptions, fc.nat(1_000), fc.nat(8), async (graph, at, again) => {
        const whole = await run(graph, []);
        checkLog(whole.log);
        const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
        const second = await run(graph, cut);
        expect(withoutUsage(second)).toEqual(withoutUsage(whole));
        expect(statesOf(second.log)).toEqual(statesOf(whole.log));
        checkLog(second.log);
        const third = await run(graph, second.log.slice(0, cut.length + again));
        expect(withoutUsage(third)).toEqual(withoutUsage(whole));
        expect(statesOf(third.log)).toEqual(statesOf(whole.log));
        checkLog(third.log);
      }),
      { numRuns: tries(60) },
    );
  });

  it('does so at every single point of a few runs', async () => {
    const graphs = fc.sample(randomGraphs(), { numRuns: tries(8), seed: 7 });
    let points = 0;
    for (const graph of graphs) {
      const whole = await run(graph, []);
      if (whole.log.length > 200) continue;
      for (let length = 0; length <= whole.log.length; length++) {
        const next = await run(graph, whole.log.slice(0, length));
        expect(next.outcome).toEqual(whole.outcome);
        checkLog(next.log);
        points += 1;
      }
    }
    expect(points).toBeGreaterThan(50);
  });

  it('closes every lane when children have time limits', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs({ child_timeout_ms: 45 }), fc.nat(1_000), async (graph, at) => {
        const whole = await run(graph, []);
        checkLog(whole.log);
        const next = await run(graph, whole.log.slice(0, Math.round((at / 1_000) * whole.log.length)));
        expect(next.outcome.status).toBe(whole.outcome.status);
        checkLog(next.log);
      }),
      { numRuns: tries(40) },
    );
  });

  it('closes every lane when children have time limits and delegations have options', async () => {
    const graphs = randomGraphs({ child_timeout_ms: 45 }, delegationOptions);
    await fc.assert(
      fc.asyncProperty(graphs, fc.nat(1_000), async (graph, at) => {
        const whole = await run(graph, []);
        checkLog(whole.log);
        const next = await run(graph, whole.log.slice(0, Math.round((at / 1_000) * whole.log.length)));
        checkLog(next.log);
      }),
      { numRuns: tries(40) },
    );
  });

  it('returns the recorded outcome of a finished run and appends nothing', async () => {
    const parsed = graphOf('solo');
    const { log, outcome } = await runGraph({ parsed, model: scriptedModel({ solo: 'hello' }) });
    const again = await runGraph({ parsed, model: scriptedModel({}), log });
    expect(again.outcome).toEqual(outcome);
    expect(again.sink.events).toEqual([]);
  });

  it('starts the step that was in flight once more, as the next attempt, under the same ids', async () => {
    const parsed = graphOf('lead > kid');
    const scripts = {
      lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' }, id: 'one' }] }, 'end'],
      kid: 'kid says',
    };
    const whole = await runGraph({ parsed, model: scriptedModel(scripts) });
    const kidModel = whole.log.findIndex((event) => event.kind === 'model.started' && event.path === 'lead/kid[1]');
    const next = await runGraph({ parsed, model: scriptedModel(scripts), log: whole.log.slice(0, kidModel + 1) });
    expect(next.sink.events.map((event) => [event.kind, 'attempt' in event ? event.attempt : 0])).toEqual([
      ['run.resumed', 0],
      ['tool.started', 2],
      ['model.started', 2],
      ['model.ended', 0],
      ['instance.ended', 0],
      ['tool.ended', 0],
      ['model.started', 1],
      ['model.ended', 0],
      ['instance.ended', 0],
      ['run.finished', 0],
    ]);
    const started = next.log.filter((event) => event.kind === 'tool.started');
    expect(started.map(({ correlationId, callId }) => [correlationId, callId])).toEqual([
      ['c1', brandAs<CallId>('one')],
      ['c1', brandAs<CallId>('one')],
    ]);
  });

  it('keeps a time limit that was recorded before the log broke off', async () => {
    const parsed = graphOf('lead > kid', { cards: { lead: { childTimeoutSec: 1 } } });
    const clock = fakeClock();
    const scripts = (delayMs: number) => ({
      lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'],
      kid: { text: 'kid says', delayMs },
    });
    const whole = await runGraph({ parsed, model: scriptedModel(scripts(5_000), clock), clock });
    const decided = whole.log.findIndex((event) => event.kind === 'log' && event.code === 'agent_timeout');
    const model = scriptedModel(scripts(0));
    const next = await runGraph({ parsed, model, log: whole.log.slice(0, decided + 1) });
    // The call that was in flight has no end here, and is not counted.
    expect(withoutUsage(next)).toEqual(withoutUsage(whole));
    expect(model.requests.map(({ step }) => step)).toEqual(['lead#m2']);
    expect(next.log.find((event) => event.kind === 'instance.ended')).toMatchObject({ status: 'timeout' });
  });
});

async function run(graph: RandomGraph, log: readonly RunEvent[]): Promise<TestRun> {
  const clock = fakeClock();
  const { model, tools } = graph.fakes(clock);
  const done = await runGraph({ parsed: graph.parsed, model, tools: { mcp: tools }, clock, log });
  const ended = new Set(
    log.flatMap((event) => (event.kind === 'model.ended' || event.kind === 'tool.ended' ? [event.step] : [])),
  );
  const ran = [...model.requests.map(({ step }) => step), ...tools.calls.map(({ step }) => step)];
  expect(ran.filter((step) => new Set<string>(ended).has(step))).toEqual([]);
  expect(new Set(ran).size).toBe(ran.length);
  return done;
}

/** Which of equal calls runs, and so what is counted, may differ when they race; what comes of them does not. */
function withoutUsage({ outcome }: TestRun): unknown {
  return { ...outcome, usage: undefined };
}

/** The state of every instance as its record tells it: of a step that ran twice, the last time counts. */
function statesOf(log: readonly RunEvent[]): Record<string, unknown> {
  const written = new Map<string, Map<string, unknown>>();
  for (const event of log) {
    if (event.kind !== 'state.changed' || event.outcome !== 'committed') continue;
    const steps = written.get(event.path) ?? new Map<string, unknown>();
    steps.delete(event.step);
    written.set(event.path, steps.set(event.step, event.delta));
  }
  return Object.fromEntries([...written].map(([path, steps]) => [path, Object.assign({}, ...steps.values())]));
}
