import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionPort } from '@/lib/runtime/ports';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { historyFields, memoryOptions, type RandomGraph, randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestScript } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;
type Save = Parameters<SessionPort['save']>;

/** A run, and each save to the store with the length of the log when it was made: so much was durable by then. */
interface StoredRun extends TestRun {
  readonly saves: readonly { readonly at: number; readonly save: Save }[];
}

describe('sessions, shared instances and pools in a run that goes on from a log cut anywhere', () => {
  it('gives the same answer where a session belongs to one parent', async () => {
    const reused = memoryOptions.map(({ session, max_attempts }) => ({
      max_attempts: max_attempts ?? 1,
      ...(session === 'reuse' ? { session } : {}),
    }));
    await fc.assert(
      fc.asyncProperty(randomGraphs({}, reused), fc.nat(1_000), fc.nat(12), async (graph, at, again) => {
        const whole = await run(graph, []);
        const second = await goOn(graph, whole, Math.round((at / 1_000) * whole.log.length));
        expect(second.outcome).toEqual(whole.outcome);
        const third = await goOn(graph, second, Math.round((at / 1_000) * whole.log.length) + again);
        expect(third.outcome).toEqual(whole.outcome);
      }),
      { numRuns: tries(60) },
    );
  });

  it('never gives a session to two calls at once and loses nothing that was said in it', async () => {
    const graphs = randomGraphs({}, memoryOptions, historyFields);
    await fc.assert(
      fc.asyncProperty(graphs, fc.nat(1_000), fc.nat(12), async (graph, at, again) => {
        const whole = await run(graph, []);
        checkSessions(whole.log);
        const second = await goOn(graph, whole, Math.round((at / 1_000) * whole.log.length));
        checkSessions(second.log);
        const third = await goOn(graph, second, Math.round((at / 1_000) * whole.log.length) + again);
        checkSessions(third.log);
      }),
      { numRuns: tries(75) },
    );
  });

  it('does so at every single point of a few runs, also when calls time out', async () => {
    const graphs = fc.sample(randomGraphs({ child_timeout_ms: 60 }, memoryOptions, historyFields), {
      numRuns: tries(8),
      seed: 11,
    });
    let points = 0;
    for (const graph of graphs) {
      const whole = await run(graph, []);
      checkSessions(whole.log);
      if (whole.log.length > 150) continue;
      for (let length = 0; length <= whole.log.length; length++) {
        checkSessions((await goOn(graph, whole, length)).log);
        points += 1;
      }
    }
    expect(points).toBeGreaterThan(50);
  });

  it('does so where a call has saved its session but not ended, and the next has begun', async () => {
    const kids = ['one', 'two'].map((text) => ({ tool: 'agent__kid', arguments: { text } }));
    const pal = { tool: 'agent__pal', arguments: { text: 'go' } };
    const scripts = (): Record<string, TestScript> => ({
      lead: [{ calls: [pal, pal] }, 'end'],
      pal: [{ calls: kids }, 'pal says'],
      kid: { text: 'kid says', delayMs: 10 },
    });
    const graph: RandomGraph = {
      parsed: graphOf('lead > pal; pal > kid', {
        settings: { delegations: { pal: { kid: { isolation: 'shared' } } } },
      }),
      fakes: (clock) => ({ model: scriptedModel(scripts(), clock), tools: fakeTools({}) }),
    };
    const whole = await run(graph, []);
    checkSessions(whole.log);
    for (let length = 0; length <= whole.log.length; length++) checkSessions((await goOn(graph, whole, length)).log);
  });
});

/** Goes on with the log up to `length`, and with the store as it can have been then. */
function goOn(graph: RandomGraph, before: StoredRun, length: number): Promise<StoredRun> {
  const log = before.log.slice(0, length);
  return run(
    graph,
    log,
    before.saves.filter(({ at }) => at <= log.length),
  );
}

async function run(graph: RandomGraph, log: readonly RunEvent[], earlier: StoredRun['saves'] = []): Promise<StoredRun> {
  const clock = fakeClock();
  const { model, tools } = graph.fakes(clock);
  const store = memorySessions();
  const saves = [...earlier];
  for (const { save } of earlier) await store.save(...save);
  let length = () => log.length;
  const sessions: SessionPort = {
    read: (key) => store.read(key),
    save(...save) {
      saves.push({ at: length(), save });
      return store.save(...save);
    },
  };
  const done = await runGraph({
    parsed: graph.parsed,
    model,
    tools: { mcp: tools },
    clock,
    log,
    sessions,
    onSink: (sink) => {
      length = () => log.length + sink.events.length;
    },
  });
  expect(done.log.at(-1)?.kind).toBe('run.finished');
  expect(done.log.some((event) => event.kind === 'log' && event.code === 'session_conflict')).toBe(false);
  return { ...done, saves };
}

function checkSessions(log: readonly RunEvent[]): void {
  const held = new Map<string, string>();
  const histories = new Map<string, { readonly version: number; readonly length: number }>();
  const opened = new Map<string, EventOf<'session.opened'>>();
  const stepOf = new Map<string, string>();
  for (const event of log) {
    switch (event.kind) {
      case 'session.opened': {
        const { sessionId, step, version } = event;
        // Opened once more only by the same call, when a crash took the record of it.
        expect(held.get(sessionId) ?? step).toBe(step);
        held.set(sessionId, step);
        expect(version).toBe(histories.get(sessionId)?.version ?? 0);
        opened.set(step, event);
        break;
      }
      case 'session.saved': {
        const { sessionId, step, version, kept, messages } = event;
        const before = histories.get(sessionId);
        expect(held.get(sessionId)).toBe(step);
        expect(version).toBe((before?.version ?? 0) + 1);
        expect(kept).toBe(before?.length ?? 0);
        expect(messages.length).toBeGreaterThan(0);
        histories.set(sessionId, { version, length: kept + messages.length });
        held.delete(sessionId);
        break;
      }
      case 'instance.queued':
        if (event.parentStep !== undefined) stepOf.set(event.path, event.parentStep);
        break;
      case 'instance.ended':
        // A call that has failed has nothing to save; one that is over takes its own calls with it.
        if (event.status !== 'completed') release(({ step }) => step === stepOf.get(event.path));
        release(({ step }) => step.startsWith(`${event.path}#`));
        break;
      default:
    }
  }
  expect([...held]).toEqual([]);
  const queued = log.filter(({ kind }) => kind === 'instance.queued').length;
  expect(log.filter(({ kind }) => kind === 'instance.ended')).toHaveLength(queued);

  function release(isOver: (event: EventOf<'session.opened'>) => boolean): void {
    for (const [id, step] of held) {
      const event = opened.get(step);
      if (event && isOver(event)) held.delete(id);
    }
  }
}
