import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type CorrelationId, type RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { fakeClock } from '@/lib/testing/fake-clock';
import { type FakeHooks, fakeHooks } from '@/lib/testing/fake-hooks';
import { hookEntries } from '@/lib/testing/hook-entries';
import { delegationOptions, type RandomGraph, randomGraphs } from '@/lib/testing/random-graphs';
import { runGraph } from '@/lib/testing/run-graph';
import { takenLog } from '@/lib/testing/taken-log';
import { tries } from '@/lib/testing/tries';

/** What hooks do here depends on nothing but the call, so a run that goes on must come to the same end. */
function hooksOn(clock: Clock): FakeHooks {
  return fakeHooks({
    slow: {
      async around({ toolName }, args, next) {
        await clock.sleep(toolName.length);
        const result = await next(args);
        await clock.sleep(3);
        return result;
      },
    },
    tag: {
      async around({ toolSource }, args, next) {
        const result = await next(args);
        return { ...result, content: [...result.content, { type: 'text', text: `<${toolSource}>` }] };
      },
    },
    choosy: {
      around(_, args, next) {
        const text = JSON.stringify(args);
        if (text.includes('7')) throw new Error('seven');
        return text.includes('3') ? `instead of ${text}` : next(args);
      },
    },
    careless: {
      around(_, args, next) {
        void next(args);
        return 'early';
      },
    },
  });
}

const same = { runId: brandAs<RunId>('run'), correlationId: brandAs<CorrelationId>('c0') };

const chains = [
  ['hooks.py:slow', 'hooks.py:tag'],
  ['hooks.py:choosy', 'hooks.py:slow', { clamp: { argument: 'delayMs', max: 20 } }],
  [{ rate_limit: { calls: 2, per_ms: 10 } }, 'hooks.py:tag', 'hooks.py:choosy'],
  ['hooks.py:careless', 'hooks.py:slow'],
  [{ retry: { delay_ms: 5, on: ['HOOK_FAILED', 'TOOL_FAILED'] } }, 'hooks.py:choosy', { truncate: { max_chars: 6 } }],
] as const;

describe('a run with hooks that goes on from a log cut anywhere', () => {
  it('gives the same answer; no recorded tool runs again, and no hook of a recorded call', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(randomGraphs(), randomGraphs({}, delegationOptions)),
        fc.constantFrom(...chains),
        fc.nat(1_000),
        fc.nat(8),
        async (graph, chain, at, again) => {
          const whole = await run(graph, chain, []);
          const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
          const second = await run(graph, chain, cut);
          expect(second.outcome).toEqual(whole.outcome);
          const third = await run(graph, chain, second.log.slice(0, cut.length + again));
          expect(third.outcome).toEqual(whole.outcome);
        },
      ),
      { numRuns: tries(60) },
    );
  });

  it('does so from a step of the run, with the record of what came before', async () => {
    await fc.assert(
      fc.asyncProperty(randomGraphs(), fc.constantFrom(...chains), fc.nat(1_000), async (graph, chain, at) => {
        const whole = await run(graph, chain, []);
        const starts = whole.log.filter(({ kind }) => kind.endsWith('.started'));
        const point = starts[Math.floor((at / 1_001) * starts.length)]?.seq ?? 1;
        const again = await run(graph, chain, takenLog(whole.log, point, same));
        expect(again.outcome).toEqual(whole.outcome);
      }),
      { numRuns: tries(40) },
    );
  });

  it('closes every hook and every lane when children have time limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomGraphs({ child_timeout_ms: 45 }),
        fc.constantFrom(...chains),
        fc.nat(1_000),
        async (graph, chain, at) => {
          const whole = await run(graph, chain, []);
          const cut = whole.log.slice(0, Math.round((at / 1_000) * whole.log.length));
          const next = await run(graph, chain, cut);
          expect(next.outcome.status).toBe(whole.outcome.status);
        },
      ),
      { numRuns: tries(50) },
    );
  });

  it('does so at every single point of a few runs', async () => {
    const graphs = fc.sample(randomGraphs(), { numRuns: tries(10), seed: 11 });
    let points = 0;
    for (const [index, graph] of graphs.entries()) {
      const chain = chains[index % chains.length] ?? [];
      const whole = await run(graph, chain, []);
      if (whole.log.length > 250) continue;
      for (let length = 0; length <= whole.log.length; length++) {
        const next = await run(graph, chain, whole.log.slice(0, length));
        expect(next.outcome).toEqual(whole.outcome);
        points += 1;
      }
    }
    expect(points).toBeGreaterThan(50);
  });
});

async function run(graph: RandomGraph, chain: readonly unknown[], log: readonly RunEvent[]) {
  const clock = fakeClock();
  const { model, tools } = graph.fakes(clock);
  const hooks = hooksOn(clock);
  const parsed = { ...graph.parsed, settings: { ...graph.parsed.settings, run_hooks: hookEntries(chain) } };
  const done = await runGraph({ parsed, model, hooks, tools: { mcp: tools }, clock, log });

  const recorded = new Set<string>();
  for (const event of log) {
    if (event.kind === 'model.ended' || event.kind === 'tool.ended' || event.kind === 'tool.returned') {
      recorded.add(event.step);
    }
  }
  const ran = [...model.requests.map(({ step }) => step), ...tools.calls.map(({ step }) => step)];
  expect(ran.filter((step) => recorded.has(step))).toEqual([]);
  expect(new Set(ran).size).toBe(ran.length);
  const calls = new Set(log.flatMap((event) => (event.kind === 'tool.ended' ? [event.step] : [])));
  const begun = done.sink.of('hook.started');
  expect(begun.filter(({ around }) => around !== undefined && calls.has(around))).toEqual([]);
  checkHooks(done.log);
  return done;
}

/** Each hook that began in the last part of the log ends there, inside its call; a tool is recorded once. */
function checkHooks(log: readonly RunEvent[]): void {
  const open = new Map<string, string>();
  const returned: string[] = [];
  const queued = new Set<string>();
  const ended: string[] = [];
  for (const event of log) {
    switch (event.kind) {
      case 'run.resumed':
        open.clear();
        break;
      case 'hook.started':
        expect(open.has(event.step)).toBe(false);
        open.set(event.step, event.around ?? '');
        break;
      case 'hook.ended':
        expect(open.delete(event.step)).toBe(true);
        break;
      case 'tool.ended':
        expect([...open.values()]).not.toContain(event.step);
        break;
      case 'tool.returned':
        returned.push(event.step);
        break;
      case 'instance.queued':
        queued.add(event.path);
        break;
      case 'instance.ended':
        ended.push(event.path);
        break;
    }
  }
  expect(ended.sort()).toEqual([...queued].sort());
  expect([...open.keys()]).toEqual([]);
  expect(new Set(returned).size).toBe(returned.length);
  expect(log.at(-1)?.kind).toBe('run.finished');
}
