import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, type FakeHook, fakeHooks } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';
import { tries } from '@/lib/testing/tries';

const call = (agent: string, more: Readonly<Record<string, unknown>> = {}): TestCall => ({
  tool: `agent__${agent}`,
  arguments: { text: 'go', ...more },
});

/** When each child began, by its path. */
function begins({ sink }: TestRun): Record<string, number> {
  return Object.fromEntries(sink.of('instance.started').map(({ path, at }) => [path.replace(/^lead\//, ''), at]));
}

describe('max_parallel counts what runs: a call that waits has given its permit back', () => {
  it('a call that waits for a shared instance lets the next one begin', async () => {
    const clock = fakeClock();
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [call('one'), call('one'), call('other'), call('other')] }, 'end'],
      one: { text: 'one', delayMs: 100 },
      other: { text: 'other', delayMs: 30 },
    };
    const parsed = graphOf('lead > one, other', {
      cards: { lead: { maxParallel: 2 } },
      settings: { delegations: { lead: { one: { isolation: 'shared' } } } },
    });
    const done = await runGraph({ parsed, model: scriptedModel(scripts, clock), clock });
    // The second call of `one` comes when both are free: its instance, and a permit.
    expect(begins(done)).toEqual({ lead: 0, 'one[1]': 0, 'other[1]': 0, 'other[2]': 30, 'one[2]': 100 });
    expect(done.outcome.answer).toBe('end');
  });

  it('a child that has ended and waits to leave its state behind lets the next one begin', async () => {
    const clock = fakeClock();
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [call('slow'), call('writer'), call('writer')] }, 'end'],
      slow: { text: 'slow', delayMs: 100 },
      writer: [{ calls: [{ tool: 'set_state', arguments: { key: 'k', value: 1 } }], delayMs: 10 }, 'written'],
    };
    const parsed = graphOf('lead > slow, writer', {
      cards: { lead: { maxParallel: 2 } },
      settings: { runtime_tools: { state: true } },
    });
    const done = await runGraph({ parsed, model: scriptedModel(scripts, clock), clock });
    expect(begins(done)).toEqual({ lead: 0, 'slow[1]': 0, 'writer[1]': 0, 'writer[2]': 10 });
  });

  it('a call that a rate limit holds up lets the next one begin', async () => {
    const clock = fakeClock();
    const tools = fakeTools({
      box__limited: () => 'limited',
      box__free: () => `free at ${clock.now()}`,
    });
    const limited = { tool: 'box__limited' };
    const parsed = graphOf('lead', {
      settings: {
        limits: { max_parallel: 1 },
        run_hooks: [
          { kind: 'rate_limit', calls: 1, per_ms: 100, scope: 'run', on_limit: 'wait', when: { tool: 'box__limited' } },
        ],
      },
    });
    const scripts = { lead: [{ calls: [limited, limited, { tool: 'box__free' }] }, 'end'] };
    const done = await runGraph({ parsed, model: scriptedModel(scripts, clock), clock, tools: { mcp: tools } });
    const results = done.sink.of('tool.ended').map(({ result }) => result.content[0]);
    expect(results).toContainEqual({ type: 'text', text: 'free at 0' });
    expect(done.clock.now()).toBe(100);
  });

  it('a call that waits for an equal one keeps no permit that the other needs', async () => {
    const clock = fakeClock();
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [call('pal'), call('kid'), call('kid')] }, 'end'],
      pal: [{ calls: [call('one')] }, 'pal'],
      kid: [{ calls: [call('one')] }, 'kid'],
      one: { text: 'one', delayMs: 50 },
    };
    const parsed = graphOf('lead > pal, kid; pal > one; kid > one', {
      settings: { limits: { max_parallel: 1 }, delegation_defaults: { cache: true, isolation: { pool: 1 } } },
    });
    const done = await runGraph({ parsed, model: scriptedModel(scripts, clock), clock });
    expect(done.outcome.answer).toBe('end');
  });
});

type EdgeOptions = NonNullable<Record<string, Record<string, DelegationOptions>>>;

interface RandomBatches {
  readonly parsed: ParsedFolder;
  readonly limits: Readonly<Record<string, number>>;
  readonly edges: EdgeOptions;
  readonly scripts: Readonly<Record<string, TestScript>>;
}

const agents = ['lead', 'a', 'b', 'c'] as const;
const children: Readonly<Record<string, readonly string[]>> = { lead: ['a', 'b', 'c'], a: ['b', 'c'], b: ['c'], c: [] };

const edgeOptions: fc.Arbitrary<DelegationOptions> = fc.record(
  {
    isolation: fc.constantFrom<DelegationOptions['isolation']>('clone', 'shared', { pool: 1 }, { pool: 2 }),
    session: fc.constantFrom<DelegationOptions['session']>('none', 'addressed', 'reuse'),
    cache: fc.boolean(),
  },
  { requiredKeys: [] },
);

const behaviour = fc.record({
  batches: fc.array(
    fc.array(fc.record({ pick: fc.nat(3), session: fc.constantFrom('', 'kept'), writes: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    }),
    { maxLength: 2 },
  ),
  delayMs: fc.integer({ min: 1, max: 40 }),
  limit: fc.integer({ min: 1, max: 4 }),
  edges: fc.tuple(edgeOptions, edgeOptions, edgeOptions),
});

const randomBatches: fc.Arbitrary<RandomBatches> = fc
  .record({ lead: behaviour, a: behaviour, b: behaviour, c: behaviour, others: fc.integer({ min: 1, max: 3 }) })
  .map(({ others, ...behaviours }) => {
    const edges: EdgeOptions = {};
    const scripts: Record<string, TestScript> = {};
    for (const agent of agents) {
      const { batches, delayMs, edges: options } = behaviours[agent];
      const below = children[agent] ?? [];
      edges[agent] = Object.fromEntries(below.map((child, index) => [child, options[index] ?? {}]));
      const turns = batches.map((batch) => ({
        delayMs,
        calls: batch.map(({ pick, session, writes }): TestCall => {
          if (writes) return { tool: 'box__write', arguments: { delayMs: pick + 1 } };
          const child = below[pick % Math.max(1, below.length)];
          if (child === undefined) return { tool: 'box__work', arguments: { delayMs: pick + 1 } };
          return call(child, session === '' ? {} : { session_id: session });
        }),
      }));
      scripts[agent] = [...turns, { text: `${agent} says`, delayMs }];
    }
    const limits = Object.fromEntries(agents.map((agent) => [agent, behaviours[agent].limit]));
    const cards = Object.fromEntries(agents.map((agent) => [agent, { maxParallel: behaviours[agent].limit }]));
    const parsed = graphOf('lead > a, b, c; a > b, c; b > c; c', {
      cards,
      settings: { limits: { max_parallel: others }, delegations: edges },
    });
    return { parsed, limits: { ...limits, tools: others }, edges, scripts };
  });

interface Ran extends TestRun {
  readonly mostTools: number;
}

/** Runs the graph. With `hookMs` a hook wraps each call and waits before it calls on, for these times in turn. */
async function run(
  { parsed, scripts }: RandomBatches,
  log: readonly RunEvent[] = [],
  hookMs: readonly number[] = [],
): Promise<Ran> {
  const clock = fakeClock();
  const running = new Map<string, number>();
  let mostTools = 0;
  const work = async (path: string, ms: number, signal: AbortSignal) => {
    running.set(path, (running.get(path) ?? 0) + 1);
    mostTools = Math.max(mostTools, running.get(path) ?? 0);
    await clock.sleep(ms, signal);
    running.set(path, (running.get(path) ?? 0) - 1);
  };
  const tools = fakeTools({
    async box__work({ delayMs }, { path, signal }) {
      await work(path, Number(delayMs), signal);
      return 'worked';
    },
    async box__write({ delayMs }, { path, signal, state }) {
      await work(path, Number(delayMs), signal);
      state.write('k', Number(delayMs));
      return 'written';
    },
  });
  const model = scriptedModel(scripts, clock);
  let hooked = 0;
  const slow: FakeHook = {
    async around(_context, args, next, { signal }) {
      await clock.sleep(hookMs[hooked++ % hookMs.length] ?? 0, signal);
      return next(args);
    },
  };
  const wrapped = { ...parsed, cards: parsed.cards.map((card) => ({ ...card, ...chainOf('slow') })) };
  const hooks = hookMs.length > 0 ? { parsed: wrapped, hooks: fakeHooks({ slow }) } : { parsed };
  const done = await runGraph({ ...hooks, model, tools: { mcp: tools }, clock, log, sessions: memorySessions() });
  return { ...done, mostTools };
}

interface Child {
  readonly agent: string;
  readonly parent: string;
  readonly batch: string;
  readonly options: DelegationOptions;
  /** The session that the call asked for. */
  readonly asked: string;
  readonly step: string;
  state: 'waits' | 'runs' | 'ended' | 'answered';
}

/** Goes through the log, moment by moment, and compares what runs with what might. */
function checkPermits({ log }: TestRun, { limits, edges }: RandomBatches): void {
  const agentOf = new Map<string, string>();
  const byPath = new Map<string, Child>();
  const asked = new Map<string, string>();
  const batches = new Map<string, number>();
  log.forEach((event, index) => {
    if (event.kind === 'model.ended') batches.set(event.path, (batches.get(event.path) ?? 0) + 1);
    if (event.kind === 'tool.started') asked.set(event.step, JSON.stringify(event.arguments));
    if (event.kind === 'instance.queued') {
      agentOf.set(event.path, event.agentName);
      if (event.parent !== undefined) {
        const caller = agentOf.get(event.parent) ?? '';
        const options = edges[caller]?.[event.agentName] ?? {};
        const batch = `${event.parent} ${batches.get(event.parent) ?? 0}`;
        byPath.set(event.path, {
          agent: event.agentName,
          parent: event.parent,
          batch,
          options,
          asked: asked.get(event.parentStep ?? '') ?? '',
          step: event.parentStep ?? '',
          state: 'waits',
        });
      }
    }
    const child =
      event.kind === 'instance.started' || event.kind === 'instance.ended' ? byPath.get(event.path) : undefined;
    if (child && event.kind === 'instance.started') {
      child.state = 'runs';
      expectInOrder(child, [...byPath.values()]);
      const running = siblings(child, byPath, 'runs').length;
      expect(running, `${event.path} is one too many`).toBeLessThanOrEqual(
        limits[agentOf.get(child.parent) ?? ''] ?? 0,
      );
    }
    if (child && event.kind === 'instance.ended') child.state = 'ended';
    if (event.kind === 'tool.ended') {
      for (const one of byPath.values()) if (one.step === event.step) one.state = 'answered';
    }
    const next = log[index + 1];
    if (next && next.at > event.at) {
      for (const [path, one] of byPath) {
        if (one.state !== 'waits') continue;
        const hasPermit = siblings(one, byPath, 'runs').length < (limits[agentOf.get(one.parent) ?? ''] ?? 0);
        expect(hasPermit && !mayBeHeldUp(one, byPath), `${path} waits at ${event.at} for nothing`).toBe(false);
      }
    }
  });
}

function siblings(child: Child, all: ReadonlyMap<string, Child>, state: Child['state']): Child[] {
  return [...all.values()].filter((one) => one.parent === child.parent && one.state === state);
}

/** Calls of one response that want the same thing begin in the order asked; an answer that may be shared changes that. */
function expectInOrder(begun: Child, all: readonly Child[]): void {
  const { agent, batch, options, asked } = begun;
  if (options.cache || (options.session === 'addressed' && !asked.includes('kept'))) return;
  const earlier = all.slice(0, all.indexOf(begun)).filter((one) => {
    return one.agent === agent && one.batch === batch && (options.session !== 'addressed' || one.asked === asked);
  });
  expect(earlier.filter(({ state }) => state === 'waits')).toEqual([]);
}

/** Somebody else may be where it wants to go, or work out the answer that it may share. */
function mayBeHeldUp({ agent, batch, options, step }: Child, all: ReadonlyMap<string, Child>): boolean {
  const { isolation = 'clone', session = 'none' } = options;
  const isEqual = (one: Child) => one.agent === agent && one.batch === batch && one.step !== step;
  if (options.cache && [...all.values()].some((one) => isEqual(one) && one.state !== 'answered')) return true;
  const others = [...all.values()].filter((one) => one.agent === agent && one.state === 'runs');
  if (session !== 'none' && others.length > 0) return true;
  if (isolation === 'clone') return false;
  const inPlace = others.filter(({ options: theirs }) => {
    return isolation === 'shared' ? theirs.isolation === 'shared' : typeof theirs.isolation === 'object';
  });
  return inPlace.length >= (isolation === 'shared' ? 1 : isolation.pool);
}

describe('random batches with sessions, pools, nested children and limits', () => {
  it('never run more than allowed, never wait for nothing, and end', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches, async (graph) => {
        const done = await run(graph);
        expect(done.outcome).toMatchObject({ status: 'completed', answer: 'lead says' });
        expect(done.clock.now()).toBeLessThan(30 * 60_000);
        expect(done.mostTools).toBeLessThanOrEqual(graph.limits.tools ?? 0);
        checkPermits(done, graph);
      }),
      { numRuns: tries(150) },
    );
  });

  it('end in whatever order hooks let their calls through', async () => {
    const hookMs = fc.array(fc.nat(500), { minLength: 2, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(randomBatches, hookMs, async (graph, delays) => {
        const done = await run(graph, [], delays);
        expect(done.outcome).toMatchObject({ status: 'completed', answer: 'lead says' });
        expect(done.clock.now()).toBeLessThan(60 * 60_000);
      }),
      { numRuns: tries(100) },
    );
  });

  it('end too when they go on from a log cut anywhere, and again from there', async () => {
    await fc.assert(
      fc.asyncProperty(randomBatches, fc.nat(1_000), fc.nat(20), async (graph, at, more) => {
        const whole = await run(graph);
        const cut = Math.round((at / 1_000) * whole.log.length);
        const second = await run(graph, whole.log.slice(0, cut));
        const third = await run(graph, second.log.slice(0, cut + more));
        for (const done of [second, third]) {
          expect(done.outcome).toMatchObject({ status: 'completed', answer: 'lead says' });
          expect(done.clock.now()).toBeLessThan(30 * 60_000);
        }
      }),
      { numRuns: tries(100) },
    );
  });
});
