import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '@/lib/runtime/record/events';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { delegationOptions, randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';

describe('a stop reaches everything', () => {
  it('ends every lane and starts nothing afterwards, whenever it comes', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs({}, delegationOptions), fc.nat(150), fc.nat(1_000), async (graph, atMs, cutAt) => {
        const clock = fakeClock();
        const { model, tools } = graph.fakes(clock);
        const controller = new AbortController();
        void clock.sleep(atMs).then(() => controller.abort());
        const stopped = await runGraph({ ...graph, model, tools: { mcp: tools }, clock, signal: controller.signal });
        checkStop(stopped.log);
        const decision = stopped.log.findIndex(isStop);
        if (decision < 0) return;
        expect(stopped.outcome).toMatchObject({ status: 'cancelled', error: { code: 'cancelled' } });

        // The worker dies while it stops: the next one only closes what is open.
        const later = graph.fakes(fakeClock());
        const rest = stopped.log.length - decision - 1;
        const log = stopped.log.slice(0, decision + 1 + Math.round((cutAt / 1_000) * rest));
        const closed = await runGraph({ ...graph, model: later.model, tools: { mcp: later.tools }, log });
        expect(closed.outcome.status).toBe('cancelled');
        expect(later.model.requests).toEqual([]);
        expect(later.tools.calls).toEqual([]);
        checkStop(closed.log);
      }),
      { numRuns: tries(300) },
    );
  });

  it('does not wait for a model or a tool that ignores its signal', async () => {
    const clock = fakeClock();
    const forever = new Promise<never>(() => {});
    const model = scriptedModel({ lead: { calls: [{ tool: 'box__stuck' }, { tool: 'agent__kid' }] } }, clock);
    const complete = model.complete.bind(model);
    model.complete = (request, control) => (request.agentName === 'kid' ? forever : complete(request, control));
    const controller = new AbortController();
    void clock.sleep(50).then(() => controller.abort());
    const { outcome, log } = await runGraph({
      parsed: graphOf('lead > kid'),
      model,
      tools: { mcp: fakeTools({ box__stuck: () => forever }) },
      clock,
      signal: controller.signal,
    });
    expect(outcome.status).toBe('cancelled');
    expect(clock.now()).toBe(50);
    const ended = log.flatMap((event) => (event.kind === 'tool.ended' ? [event.result] : []));
    expect(ended.map(({ errorCode, content }) => [errorCode, textOf(content)])).toEqual([
      ['AGENT_CANCELLED', 'Error: The call was cancelled.'],
      ['AGENT_CANCELLED', "Error: Agent 'kid' was cancelled."],
    ]);
    expect(log.slice(log.findIndex(isStop)).map((event) => [event.kind, 'path' in event ? event.path : ''])).toEqual([
      ['log', undefined],
      ['model.ended', 'lead/kid[1]'],
      ['tool.ended', 'lead'],
      ['instance.ended', 'lead/kid[1]'],
      ['tool.ended', 'lead'],
      ['instance.ended', 'lead'],
      ['run.finished', ''],
    ]);
  });

  it('runs nothing when it comes before the start', async () => {
    const model = scriptedModel({});
    const { outcome, log } = await runGraph({ parsed: graphOf('lead > kid'), model, signal: AbortSignal.abort() });
    expect(outcome.status).toBe('cancelled');
    expect(model.requests).toEqual([]);
    expect(log.map(({ kind }) => kind)).toEqual([
      'run.started',
      'log',
      'instance.queued',
      'instance.ended',
      'run.finished',
    ]);
  });
});

function isStop(event: RunEvent): boolean {
  return event.kind === 'log' && event.code === 'run_cancelled';
}

function checkStop(log: readonly RunEvent[]): void {
  const paths = (kind: RunEvent['kind']) =>
    log.flatMap((event) => (event.kind === kind && 'path' in event ? [event.path] : []));
  expect([...paths('instance.ended')].sort()).toEqual([...paths('instance.queued')].sort());
  expect(log.at(-1)?.kind).toBe('run.finished');
  const decision = log.findIndex(isStop);
  if (decision < 0) return;
  const after = log.slice(decision).map(({ kind }) => kind);
  expect(
    after.filter((kind) => kind === 'model.started' || kind === 'tool.started' || kind === 'instance.started'),
  ).toEqual([]);
}
