import { describe, expect, it } from 'vitest';
import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import { textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, fakeHooks } from '@/lib/testing/fake-hooks';
import { graphOf } from '@/lib/testing/graph-of';
import { memorySessions } from '@/lib/testing/memory-sessions';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall, type TestScript } from '@/lib/testing/scripted-model';

const kid = (text: string): TestCall => ({ tool: 'agent__kid', arguments: { text } });
const turnTaking: readonly DelegationOptions[] = [
  { isolation: 'shared' },
  { isolation: { pool: 1 } },
  { session: 'reuse' },
];

/** A child that writes state, then answers. */
const writer: TestScript = [{ calls: [{ tool: 'set_state', arguments: { key: 'k', value: 1 } }] }, 'written'];

async function run(
  graph: string,
  scripts: Readonly<Record<string, TestScript>>,
  options: DelegationOptions,
  hookDelays: Readonly<Record<string, number>> = {},
): Promise<TestRun> {
  const clock = fakeClock();
  const hooks = fakeHooks({
    wait: {
      around: async (_context, args, next) => {
        await clock.sleep(hookDelays[String(args.text)] ?? 0, new AbortController().signal);
        return next(args);
      },
    },
  });
  const parsed = graphOf(graph, {
    settings: { runtime_tools: { state: true }, delegation_defaults: options },
    cards: { lead: chainOf('wait') },
  });
  return runGraph({ parsed, model: scriptedModel(scripts, clock), clock, hooks, sessions: memorySessions() });
}

function answers({ sink }: TestRun): (readonly [string, string])[] {
  return sink.of('instance.ended').map(({ path, answer }) => [path, answer ?? ''] as const);
}

describe('calls that take turns and leave state behind', () => {
  for (const options of turnTaking) {
    it(`end when an earlier call comes for the turn later than a later one: ${JSON.stringify(options)}`, async () => {
      const scripts = { lead: [{ calls: [kid('a'), kid('b')] }, 'end'], kid: writer };
      const done = await run('lead > kid', scripts, options, { a: 500 });
      expect(done.outcome.answer).toBe('end');
      expect(done.clock.now()).toBe(500);
    });

    it(`end when an earlier call needs the turn on its way: ${JSON.stringify(options)}`, async () => {
      const scripts = {
        lead: [{ calls: [{ tool: 'agent__pal', arguments: { text: 'go' } }, kid('a')] }, 'end'],
        pal: [{ calls: [kid('b')], delayMs: 500 }, 'pal says'],
        kid: writer,
      };
      const done = await run('lead > kid, pal; pal > kid', scripts, options);
      expect(answers(done)).toEqual([
        ['lead/kid[1]', 'written'],
        ['lead/pal[1]/kid[1]', 'written'],
        ['lead/pal[1]', 'pal says'],
        ['lead', 'end'],
      ]);
      expect(done.clock.now()).toBe(500);
    });
  }

  it('take turns in the order asked, however long the hooks of one take', async () => {
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [kid('a'), kid('b'), kid('c')] }, 'end'],
      kid: ({ messages }) => messages.flatMap((one) => (one.role === 'user' ? [textOf(one.content)] : [])).join(),
    };
    const done = await run('lead > kid', scripts, { session: 'reuse' }, { a: 300, b: 100 });
    const heard = Object.fromEntries(answers(done));
    expect(heard['lead/kid[3]']).toBe('a,b,c');
    expect(done.clock.now()).toBe(300);
  });

  it('do not deadlock: the call that would complete the wait cycle is refused, and all calls end', async () => {
    const ask = (agent: string): TestCall => ({ tool: `agent__${agent}`, arguments: { text: 'go' } });
    const clock = fakeClock();
    const scripts: Record<string, TestScript> = {
      lead: [{ calls: [ask('a'), ask('b')] }, 'end'],
      a: [{ calls: [ask('b')], delayMs: 10 }, 'a says'],
      b: [{ calls: [ask('a')], delayMs: 20 }, 'b says'],
    };
    const crosswise = { isolation: 'shared', recursive: true } as const;
    const parsed = graphOf('lead > a, b; a > b; b > a', {
      settings: {
        delegation_defaults: { isolation: 'shared' },
        delegations: { a: { b: crosswise }, b: { a: crosswise } },
      },
    });
    const done = await runGraph({ parsed, model: scriptedModel(scripts, clock), clock });
    expect(done.outcome.answer).toBe('end');
    expect(done.sink.of('tool.ended').map(({ path, result }) => [path, result.errorCode ?? 'fine'])).toEqual([
      // It came 10 ms after lead/a[1] began to wait for the resource it holds.
      ['lead/b[1]', 'NOT_ALLOWED'],
      ['lead', 'fine'],
      // Below lead/a[1], which holds the resource itself.
      ['lead/a[1]/b[1]', 'NOT_ALLOWED'],
      ['lead/a[1]', 'fine'],
      ['lead', 'fine'],
    ]);
  });
});
