import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, fakeHooks, textResult } from '@/lib/testing/fake-hooks';
import { type FakeTool, fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';
import { clampArgument } from './arguments';

type Args = Readonly<Record<string, Json>>;

describe('hooks on arguments', () => {
  it.each<[object, Args, Args]>([
    [{ clamp: { argument: 'x', max: 10 } }, { x: 99 }, { x: 10 }],
    [{ clamp: { argument: 'x', min: 1, max: 10 } }, { x: -3 }, { x: 1 }],
    [{ clamp: { argument: 'x', min: 5 } }, { x: 1 }, { x: 5 }],
    [{ clamp: { argument: 'x', min: 5 } }, { x: 7 }, { x: 7 }],
    [{ clamp: { argument: 'x', max: 10 } }, { x: '99' }, { x: '99' }],
    [
      { clamp: { argument: 'options.limit', max: 5 } },
      { options: { limit: 9, a: 1 } },
      { options: { limit: 5, a: 1 } },
    ],
    [{ clamp: { argument: 'x', max: 10 } }, {}, {}],
    [{ rename: { from: 'q', to: 'query' } }, { q: 'a', n: 1 }, { query: 'a', n: 1 }],
    [{ rename: { from: 'q', to: 'query' } }, { q: 'a', query: 'b' }, { q: 'a', query: 'b' }],
    [{ default: { argument: 'limit', value: 5 } }, {}, { limit: 5 }],
    [{ default: { argument: 'limit', value: 5 } }, { limit: null }, { limit: 5 }],
    [{ default: { argument: 'limit', value: 5 } }, { limit: 0 }, { limit: 0 }],
    [{ default: { argument: 'a.b', value: true } }, {}, { a: { b: true } }],
    [{ default: { argument: 'a.b', value: true } }, { a: 'text' }, { a: 'text' }],
    [{ redact: { keys: ['Token'], in: 'arguments' } }, { token: 'abc', x: 1 }, { token: '[redacted]', x: 1 }],
    [{ redact: { patterns: ['sk-\\w+'], in: 'both' } }, { x: ['use sk-abc now'] }, { x: ['use [redacted] now'] }],
  ])('%j makes %j into %j', async (hook, given, expected) => {
    const { tools } = await run([hook], [{ tool: 'box__work', arguments: given }]);
    expect(tools.calls.map(({ args }) => args)).toEqual([expected]);
  });

  it('clamp limits integers beyond 2^53 too, and leaves those within the range their digits', async () => {
    const clamped = async (range: object) => {
      const { tools } = await run(
        [{ clamp: { argument: 'x', ...range } }],
        [{ tool: 'box__work', arguments: '{"x": 9007199254740993}' }],
      );
      return tools.calls.map(({ args }) => args.x);
    };
    expect(await clamped({ max: 10 })).toEqual([10]);
    expect(await clamped({ min: 10 })).toEqual([9007199254740993n]);
    expect(await clamped({ max: 9007199254740992n })).toEqual([9007199254740992n]);
  });
});

it('clamp gives the nearest number within what is given, with only a min, only a max, or both', () => {
  const end = fc.option(fc.integer({ min: -100, max: 100 }), { nil: undefined });
  fc.assert(
    fc.property(fc.integer({ min: -200, max: 200 }), end, end, (x, one, other) => {
      const isCrossed = one !== undefined && other !== undefined && one > other;
      const [min, max] = isCrossed ? [other, one] : [one, other];
      const nearest = [x, min, max]
        .filter((value) => value !== undefined)
        .filter((value) => value >= (min ?? -Infinity) && value <= (max ?? Infinity))
        .sort((a, b) => Math.abs(a - x) - Math.abs(b - x))[0];
      expect(clampArgument({ kind: 'clamp', argument: 'x', min, max }, { x })).toEqual({ x: nearest });
    }),
  );
});

describe('hooks on results', () => {
  it('redact hides patterns and keys, in text that is JSON and in structured content too', async () => {
    const secret: ToolResult = {
      content: [
        { type: 'text', text: 'key sk-abc.' },
        { type: 'text', text: '{"password":"p","user":"u"}' },
      ],
      isError: false,
      structuredContent: { nested: { PASSWORD: 'p' }, list: ['sk-1'] },
    };
    const hook = { redact: { patterns: ['sk-\\w+'], keys: ['password'], replacement: '***' } };
    const { results, log } = await run([hook], [{ tool: 'box__work' }], () => secret);
    expect(results).toEqual([
      {
        content: [
          { type: 'text', text: 'key ***.' },
          { type: 'text', text: '{"password":"***","user":"u"}' },
        ],
        isError: false,
        structuredContent: { nested: { PASSWORD: '***' }, list: ['***'] },
      },
    ]);
    // Not in what is recorded of the tool, nor of the hook, either.
    expect(JSON.stringify(log)).not.toMatch(/sk-|"p"|\\"p\\"/);
    expect(log.find((event) => event.kind === 'hook.ended')).toMatchObject({
      changes: [{ what: 'result', before: '[hidden]' }],
    });
  });

  it('redact hides what it hides of arguments in the record of the call too; the model that wrote them keeps them', async () => {
    const hook = { redact: { patterns: ['sk-\\w+'], keys: ['pin'], in: 'both' } };
    const given = { text: 'use sk-abc', pin: '1234', x: 1 };
    const { log, tools } = await run([hook], [{ tool: 'box__work', arguments: given }]);
    const hidden = { text: 'use [redacted]', pin: '[redacted]', x: 1 };
    expect(log.find((event) => event.kind === 'tool.started')).toMatchObject({ arguments: hidden });
    expect(tools.calls.map(({ args }) => args)).toEqual([hidden]);
    const holding = log.filter((event) => JSON.stringify(event).includes('sk-abc'));
    expect(holding.map(({ kind }) => kind)).toEqual(['model.ended']);
  });

  it('redact hides it in arguments that are no JSON object, and leaves calls alone that its when leaves out', async () => {
    const hook = { redact: { patterns: ['sk-\\w+'], in: 'arguments', when: { tool: 'box__*' } } };
    const { log } = await run(
      [hook],
      [
        { tool: 'box__work', arguments: 'no JSON: sk-abc' },
        { tool: 'other', arguments: { key: 'sk-abc' } },
      ],
    );
    const shown = log.flatMap((event) => (event.kind === 'tool.started' ? [event.arguments] : []));
    expect(shown).toEqual(['no JSON: [redacted]', { key: 'sk-abc' }]);
  });

  it('redact is not slowed down by a pattern that would hang another engine', async () => {
    const hook = { redact: { patterns: ['(a+)+b', '(a|a)*c', '(.*,)*x'] } };
    const { results } = await run([hook], [{ tool: 'box__work' }], () => 'a'.repeat(200_000));
    expect(textOf(results[0]?.content ?? [])).toHaveLength(200_000);
  });

  it('truncate cuts text and says so', async () => {
    const { results } = await run([{ truncate: { max_chars: 5 } }], [{ tool: 'box__work' }], () => 'abcdefgh');
    expect(results).toEqual([
      {
        content: [
          { type: 'text', text: 'abcde' },
          { type: 'text', text: '[cut: first 5 of 8 characters]' },
        ],
        isError: false,
      },
    ]);
  });
});

describe('hooks that decide', () => {
  it('block refuses what fits its when', async () => {
    const when = { tool: ['box__*', 'x'], source: ['mcp'], server: 'b?x' };
    const { results, tools } = await run([{ block: { when, message: 'Ask a person.' } }], [{ tool: 'box__work' }]);
    expect(tools.calls).toEqual([]);
    expect(results).toMatchObject([
      { isError: true, errorCode: 'NOT_ALLOWED', content: [{ text: 'Error: Ask a person.' }] },
    ]);
  });

  it.each([{ tool: 'other*' }, { source: 'function' }, { server: 'other' }])(
    'does not wrap what %j excludes',
    async (when) => {
      const { results, log } = await run([{ block: { when } }], [{ tool: 'box__work' }]);
      expect(results).toEqual([textResult('worked')]);
      expect(log.filter(({ kind }) => kind.startsWith('hook.'))).toEqual([]);
    },
  );

  it('rate_limit lets calls wait their turn', async () => {
    const clock = fakeClock();
    const starts: number[] = [];
    const calls = Array.from({ length: 5 }, () => ({ tool: 'box__work' }));
    await run([{ rate_limit: { calls: 2, per_ms: 1_000 } }], calls, () => begin(starts, clock.now()), clock);
    expect(starts).toEqual([0, 0, 1_000, 1_000, 2_000]);
  });

  it('rate_limit can refuse instead', async () => {
    const calls = Array.from({ length: 3 }, () => ({ tool: 'box__work' }));
    const { results } = await run([{ rate_limit: { calls: 2, per_ms: 1_000, on_limit: 'refuse' } }], calls);
    expect(results.map(({ errorCode }) => errorCode)).toEqual([undefined, undefined, 'NOT_ALLOWED']);
  });

  it('retry repeats the call after growing delays, each time recorded under its own key', async () => {
    const clock = fakeClock();
    const starts: number[] = [];
    const tool: FakeTool = () => {
      begin(starts, clock.now());
      return starts.length < 3 ? { ...textResult('down'), isError: true, errorCode: 'SERVER_UNAVAILABLE' } : 'up';
    };
    const { results, tools, log } = await run(
      [{ retry: { attempts: 4, delay_ms: 100 } }, { log: {} }],
      [{ tool: 'box__work' }],
      tool,
      clock,
    );
    expect(starts).toEqual([0, 100, 300]);
    expect(results).toEqual([textResult('up')]);
    expect(tools.calls.map(({ step }) => step)).toEqual(['lead#t1', 'lead#t1.r2', 'lead#t1.r3']);
    expect(log.flatMap((event) => (event.kind === 'hook.started' ? [event.step] : []))).toEqual([
      'lead#t1.h1',
      'lead#t1.h2',
      'lead#t1.r2.h2',
      'lead#t1.r3.h2',
    ]);
  });

  it('retry leaves alone what would fail again', async () => {
    const refused: ToolResult = { ...textResult('no'), isError: true, errorCode: 'INPUT_VALIDATION' };
    const { tools } = await run([{ retry: {} }], [{ tool: 'box__work' }], () => refused);
    expect(tools.calls).toHaveLength(1);
  });

  it('cache shares the result of equal calls, also of those under way, and keeps no error', async () => {
    let count = 0;
    const { tools, results } = await run(
      [{ cache: {} }],
      [
        { tool: 'box__work', arguments: { a: 1, b: 2 } },
        { tool: 'box__work', arguments: { b: 2, a: 1 } },
        { tool: 'box__work', arguments: { a: 2 } },
      ],
      () => {
        count += 1;
        return count === 1 ? { ...textResult('down'), isError: true } : `answer ${count}`;
      },
    );
    expect(tools.calls).toHaveLength(3);
    expect(results.map(({ content }) => textOf(content))).toEqual(['down', 'answer 3', 'answer 2']);
  });

  it('a result that a cache gave is marked so, and one that the tool gave again is not', async () => {
    const calls = Array.from({ length: 3 }, () => ({ tool: 'box__work' }));
    let count = 0;
    const { log } = await run([{ retry: { delay_ms: 0 } }, { cache: {} }], calls, () => {
      count += 1;
      return count === 1 ? { ...textResult('down'), isError: true, errorCode: 'TOOL_FAILED' } : 'up';
    });
    const marks = log.flatMap((event) => (event.kind === 'tool.ended' ? [event.cached ?? false] : []));
    expect(marks.sort()).toEqual([false, true, true]);
  });

  it('a delegation that a cache answered is an instance that ended at once with that answer, marked cached', async () => {
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'agent__kid' }] }, { calls: [{ tool: 'agent__kid' }] }, 'end'],
      kid: 'kid says',
    });
    const parsed = graphOf('lead > kid', { settings: { agent_hooks: { lead: hookEntries([{ cache: {} }]) } } });
    const { sink } = await runGraph({ parsed, model });
    expect(sink.of('tool.ended').map(({ cached }) => cached)).toEqual([undefined, true]);
    const ended = sink.of('instance.ended').filter(({ path }) => path !== 'lead');
    expect(ended).toMatchObject([
      { path: 'lead/kid[1]', status: 'completed', answer: 'kid says' },
      { path: 'lead/kid[2]', status: 'completed', answer: 'kid says', cached: true, usage: { modelCalls: 0 } },
    ]);
    expect(ended[0]?.cached).toBeUndefined();
  });

  it('cache answers for no built-in tool, no agent that remembers and no sample of a vote', async () => {
    const hooks = { run_hooks: hookEntries([{ cache: {} }]) };
    const set = (value: number) => ({ tool: 'set_state', arguments: { key: 'x', value } });
    const read = { tool: 'get_state', arguments: { key: 'x' } };
    const state = scriptedModel({
      lead: [
        { calls: [set(1)] },
        { calls: [read] },
        { calls: [set(2)] },
        { calls: [set(1)] },
        { calls: [read] },
        'end',
      ],
    });
    const settings = { ...hooks, runtime_tools: { state: true } };
    const stateful = await runGraph({ parsed: graphOf('lead', { settings }), model: state });
    expect(stateful.sink.of('tool.ended').some(({ cached }) => cached === true)).toBe(false);

    const again = { tool: 'agent__kid', arguments: { text: 'hi' } };
    const talk = scriptedModel({
      lead: [{ calls: [again] }, { calls: [again] }, 'end'],
      kid: ({ instanceName }) => instanceName,
    });
    const delegations = { lead: { kid: { session: 'reuse' as const } } };
    const remembering = await runGraph({
      parsed: graphOf('lead > kid', { settings: { ...hooks, delegations } }),
      model: talk,
    });
    expect(
      remembering.sink.of('instance.ended').flatMap(({ path, answer }) => (path === 'lead' ? [] : [answer])),
    ).toEqual(['kid[1]', 'kid[2]']);
  });

  it('cache keeps no result of a function that wrote to the state, also when the run goes on after a crash', async () => {
    const write = { tool: 'write', arguments: { value: 1 } };
    const set = { tool: 'set_state', arguments: { key: 'k', value: 0 } };
    const read = { tool: 'get_state', arguments: { key: 'k' } };
    const calls = [{ calls: [write] }, { calls: [set] }, { calls: [write] }, { calls: [read] }, 'end'] as const;
    const functions = () =>
      fakeTools({ write: ({ value = 0 }, { state }) => state.write('k', value) ?? 'written' }, { source: 'function' });
    const settings = { run_hooks: hookEntries([{ cache: {} }]), runtime_tools: { state: true } };
    const again = (log: readonly RunEvent[]) =>
      runGraph({
        parsed: graphOf('lead', { settings }),
        model: scriptedModel({ lead: calls }),
        tools: { function: functions() },
        log,
      });
    const whole = await again([]);
    for (let cut = 0; cut < whole.log.length; cut += 1) {
      const { log } = await again(whole.log.slice(0, cut));
      const last = log.findLast((event) => event.kind === 'tool.ended');
      expect(last && textOf(last.result.content), `cut at ${cut}`).toBe('1');
    }
  });

  it('cache forgets after its time', async () => {
    const clock = fakeClock();
    const hooks = [{ rate_limit: { calls: 1, per_ms: 1_000 } }, { cache: { ttl_ms: 1_500 } }];
    const calls = Array.from({ length: 4 }, () => ({ tool: 'box__work' }));
    const { tools } = await run(hooks, calls, undefined, clock);
    expect(tools.calls).toHaveLength(2);
  });

  it('cache holds 16 MiB of results, and beyond forgets the oldest', async () => {
    // Of 3 MB of text each, in memory 6.
    const tools = fakeTools({ box__work: ({ name }) => `${name}${'x'.repeat(3_000_000)}` });
    const turn = (name: string) => ({ calls: [{ tool: 'box__work', arguments: { name } }] });
    const hooks = hookEntries([{ cache: {} }]);
    await runGraph({
      parsed: graphOf('lead', { settings: { run_hooks: hooks, limits: { max_result_bytes: 4_000_000 } } }),
      model: scriptedModel({ lead: [...['a', 'b', 'b', 'a', 'c', 'b', 'a'].map(turn), 'end'] }),
      tools: { mcp: tools },
    });
    expect(tools.calls.map(({ args }) => args.name)).toEqual(['a', 'b', 'c', 'a']);
  });

  it('log writes what was asked for', async () => {
    const hook = { log: { level: 'warning', message: 'paid', arguments: true, result: true } };
    const { log } = await run([hook], [{ tool: 'box__work', arguments: { x: 1 } }]);
    expect(log.find((event) => event.kind === 'log' && event.code === 'hook_log')).toMatchObject({
      level: 'warning',
      message: 'paid: box__work ended after 0 ms. Arguments: {"x":1} Result: worked',
      step: 'lead#t1.h1',
    });
  });

  it('log writes nothing that the record hides, whatever hook hides it and wherever it stands', async () => {
    const noted = { log: { arguments: true, result: true } };
    const hidden = { redact: { patterns: ['sk-\\w+'], in: 'both' } };
    const call = { tool: 'box__work', arguments: { password: 'hunter2', key: 'sk-abc' } };
    for (const hooks of [
      [noted, hidden],
      [hidden, noted],
    ]) {
      const { log } = await run(hooks, [call], () => 'made with sk-abc');
      const said = JSON.stringify(log.filter((event) => event.kind === 'log'));
      expect(said).toContain('made with [redacted]');
      expect(said).not.toMatch(/hunter2|sk-abc/);
    }
  });

  it('composes with hooks written as code, in one order', async () => {
    const seen: Args[] = [];
    const hooks = fakeHooks({
      outer: { around: (_, args, next) => note(seen, args, next) },
      inner: { around: (_, args, next) => note(seen, args, next) },
    });
    const parsed = graphOf('lead', {
      cards: { lead: chainOf('inner') },
      settings: { run_hooks: hookEntries(['hooks.py:outer', { clamp: { argument: 'x', max: 10 } }]) },
    });
    const tools = fakeTools({ box__work: () => 'worked' });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'box__work', arguments: { x: 99 } }] }, 'end'] });
    await runGraph({ parsed, hooks, model, tools: { mcp: tools } });
    expect(seen).toEqual([{ x: 99 }, { x: 10 }]);
  });
});

it('does not run an agent whose guard has a pattern that cannot be read', async () => {
  const parsed = graphOf('lead', {
    settings: { run_hooks: [{ kind: 'redact', patterns: ['('], keys: [], in: 'result', replacement: '' }] },
  });
  const { outcome } = await runGraph({ parsed, model: scriptedModel({ lead: 'hi' }) });
  expect(outcome.error?.code).toBe('hooks_unavailable');
});

async function run(
  hooks: readonly object[],
  calls: readonly TestCall[],
  tool: FakeTool = () => 'worked',
  clock = fakeClock(),
) {
  const tools = fakeTools({ box__work: tool });
  const parsed = graphOf('lead', { settings: { run_hooks: hookEntries(hooks) } });
  const done = await runGraph({
    parsed,
    model: scriptedModel({ lead: [{ calls }, 'end'] }),
    tools: { mcp: tools },
    clock,
  });
  const byId = new Map(done.sink.of('tool.ended').map(({ step, result }) => [step, result]));
  const results = calls.flatMap((_, index) => [...byId].find(([step]) => step === `lead#t${index + 1}`)?.[1] ?? []);
  return { tools, results, log: done.log };
}

function begin(starts: number[], at: number): string {
  starts.push(at);
  return 'worked';
}

function note(seen: Args[], args: Args, next: (args: Args) => Promise<ToolResult>): Promise<ToolResult> {
  seen.push(args);
  return next(args);
}
