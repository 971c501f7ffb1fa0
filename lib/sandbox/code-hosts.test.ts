import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { textResult as say } from '@/lib/testing/code-calls';
import { testCodeHosts, textsOf as text } from '@/lib/testing/test-code-hosts';
import { createCodeHosts } from './code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'without python');

const quiet = new AbortController().signal;

describe('TypeScript function tools', () => {
  it('are described by their types and called with their parameters', async () => {
    const { hosts, card, call } = hostsOf('function_tools: [tools.ts:add, tools.ts:greet]', {
      'tools.ts': `
        import { shout } from './lib/shout';
        /** Adds two numbers. @param a the first */
        export function add(a: number, b: number = 1): number { return a + b; }
        interface Who { /** Whom to greet */ name: string; loud?: boolean }
        /** Greets. */
        async function greet(who: Who): Promise<string> { await null; return who.loud ? shout(who.name) : who.name; }
      `,
      'lib/shout.ts': `export const shout = (word: string): string => word.toUpperCase() + '!';`,
    });
    const { tools } = await hosts.tools.list(card, quiet);
    expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual([
      {
        name: 'add',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number', default: 1 } },
          additionalProperties: false,
          required: ['a'],
        },
      },
      {
        name: 'greet',
        inputSchema: {
          type: 'object',
          properties: { name: { type: 'string', description: 'Whom to greet' }, loud: { type: 'boolean' } },
          additionalProperties: false,
          required: ['name'],
        },
      },
    ]);
    expect(tools[1]?.description).toBe('Greets.');
    expect(text(await call('add', { a: 2 }))).toEqual(['3']);
    expect(text(await call('greet', { name: 'Ann', loud: true }))).toEqual(['ANN!']);
    expect(text(await call('greet', { name: 'Ann', loud: null }))).toEqual(['Ann']);
    expect(await call('add', { a: 'two' })).toMatchObject({ isError: true, errorCode: 'INPUT_VALIDATION' });
  });

  it('get no argument their types do not have, as in Python', async () => {
    const { call } = hostsOf('function_tools: [t.ts:named, t.ts:whole, t.ts:taken, t.ts:rest, t.ts:pair]', {
      't.ts': `
        export const named = (a: number) => a;
        export const whole = (args: { a?: number; b?: { c: string } }) => 1;
        export const taken = ({ a }: { a: number }) => a;
        export const rest = ({ a, ...more }) => more;
        export const pair = (p: [a: number, b?: string]) => p.length;
      `,
    });
    const problemOf = async (name: string, args: JsonObject) => {
      const result = await call(name, args);
      return result.isError ? `${result.errorCode} ${text(result)[0]}` : text(result)[0];
    };
    expect([
      await problemOf('named', { a: 1, z: 2 }),
      await problemOf('whole', { zz: 1 }),
      await problemOf('whole', { b: { c: 'x', d: 1 } }),
      await problemOf('taken', { a: 1, b: 2 }),
      await problemOf('rest', { a: 1, b: 2 }),
      await problemOf('pair', { p: [1] }),
      await problemOf('pair', { p: [1, 2] }),
    ]).toEqual([
      "INPUT_VALIDATION Error: t.ts:named: there is no parameter 'z'; it takes a",
      "INPUT_VALIDATION Error: t.ts:whole: there is no parameter 'zz'; it takes a, b",
      "INPUT_VALIDATION Error: t.ts:whole: /b has no field 'd'; it has c",
      "INPUT_VALIDATION Error: t.ts:taken: there is no parameter 'b'; it takes a",
      '{"b":2}',
      '1',
      'INPUT_VALIDATION Error: t.ts:pair: /p/1 must be string',
    ]);
  });

  it('name the original file and line when they throw', async () => {
    const { call, logs } = hostsOf('function_tools: [tools.ts:fail]', {
      'tools.ts': `interface Unused { a: string }\n\nimport { deep } from './deep';\nexport function fail(): void { deep({ a: 1 }); }\n`,
      'deep.ts': `type A = { a: number };\n\nexport function deep(a: A): void {\n  throw new TypeError('no ' + a.a);\n}\n`,
    });
    const result = await call('fail');
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Error: tools.ts:fail: TypeError: no 1 (deep.ts:4)' }],
      isError: true,
      errorCode: 'TOOL_FAILED',
    });
    expect(logs.map((log) => log.message)).toEqual([
      'tools.ts:fail: TypeError: no 1\n  at deep (deep.ts:4)\n  at fail (tools.ts:4)',
    ]);
  });

  it('return text, objects, blocks or a whole result', async () => {
    const { call } = hostsOf('function_tools: [t.js:nothing, t.js:object, t.js:list, t.js:refused]', {
      't.js': `
        export const nothing = () => {};
        export const object = () => ({ a: [1] });
        export const list = () => [1, 2];
        export const refused = () => ({ isError: true, errorCode: 'NOT_ALLOWED', content: [{ type: 'text', text: 'no' }] });
      `,
    });
    expect(await call('nothing')).toEqual({ content: [], isError: false });
    expect(await call('object')).toEqual({ ...say('{"a":[1]}'), structuredContent: { a: [1] } });
    expect(await call('list')).toEqual(say('[1,2]'));
    expect(await call('refused')).toEqual({ ...say('no'), isError: true, errorCode: 'NOT_ALLOWED' });
  });

  it('print into the log, up to a limit', async () => {
    const { call, logs } = hostsOf(
      'function_tools: [t.js:chat]',
      {
        't.js': `export function chat() { console.warn('hm', { a: 1 }); for (let i = 0; i < 1e4; i++) console.log('x'.repeat(50)); }`,
      },
      { logLines: 3, logLineLength: 20 },
    );
    await call('chat');
    expect(logs.map((log) => [log.level, log.message])).toEqual([
      ['warning', 't.js:chat: hm {"a":1}'],
      ['info', `t.js:chat: ${'x'.repeat(20)}… (30 characters more)`],
      ['info', `t.js:chat: ${'x'.repeat(20)}… (30 characters more)`],
      ['warning', 't.js:chat: More than 3 lines: the rest is left out.'],
    ]);
  });

  it('may wait for timers, but not for what never comes', async () => {
    const { call } = hostsOf('function_tools: [t.js:wait, t.js:forever]', {
      't.js': `
        export async function wait() { await new Promise((done) => setTimeout(done, 5)); return 'woke'; }
        export const forever = () => new Promise(() => {});
      `,
    });
    expect(text(await call('wait'))).toEqual(['woke']);
    expect(text(await call('forever'))[0]).toContain('waits for a promise that nothing will ever settle');
  });

  it('start afresh at every call', async () => {
    const { call } = hostsOf('function_tools: [t.js:count]', {
      't.js': `let calls = 0; export function count() { Object.prototype.calls = ++calls; Array.prototype.map = null; return calls; }`,
    });
    expect(text(await call('count'))).toEqual(['1']);
    expect(text(await call('count'))).toEqual(['1']);
  });
});

describe('TypeScript middleware', () => {
  const front = 'tool_hooks: [hooks.ts:hook]';
  const around = async (
    code: string,
    next: (args: JsonObject) => Promise<ToolResult>,
    options: { signal?: AbortSignal; timeoutMs?: number; context?: { state: JsonObject } } = {},
  ) => {
    const { hosts, card, hook } = hostsOf(front, { 'hooks.ts': code });
    expect(await hosts.hooks.load(card, quiet)).toEqual([]);
    return hook({ x: 50 }, next, options);
  };

  it('runs before and after, and changes arguments and result', async () => {
    const seen: JsonObject[] = [];
    const outcome = await around(
      `export async function hook(ctx: any, args: any, next: any) {
        if (ctx.toolName === 'add') args.x = Math.min(args.x, 10);
        const result = await next(args);
        result.content.push({ type: 'text', text: '[' + ctx.agentName + ' ' + ctx.state.mood + ']' });
        return result;
      }`,
      async (args) => {
        seen.push(args);
        return say('11');
      },
    );
    expect(seen).toEqual([{ x: 10 }]);
    expect(outcome).toEqual({
      ok: true,
      result: {
        content: [
          { type: 'text', text: '11' },
          { type: 'text', text: '[coder calm]' },
        ],
        isError: false,
      },
    });
  });

  it('may answer instead of the tool', async () => {
    const outcome = await around(
      `export const hook = async () => ({ content: [{ type: 'text', text: 'blocked' }], isError: true });`,
      () => Promise.reject(new Error('not to be called')),
    );
    expect(outcome).toEqual({ ok: true, result: { ...say('blocked'), isError: true, errorCode: 'TOOL_FAILED' } });
  });

  it('cannot change what it is shown of the call', async () => {
    const next = () => Promise.resolve(say('fine'));
    for (const [change, name] of [
      ['ctx.state.mood = "wild"', 'ctx.state.mood'],
      ['delete ctx.state.mood', 'ctx.state.mood'],
      ['ctx.toolName = "other"', 'ctx.toolName'],
    ]) {
      expect(await around(`export const hook = (ctx, args, next) => { ${change}; return next(args); };`, next)).toEqual(
        {
          ok: false,
          message: `hooks.ts:hook: TypeError: '${name}' is read-only. docs/code.md lists what a hook may change. (hooks.ts:1)`,
        },
      );
    }
    const copies = `export const hook = (ctx, args, next) => next({ ...structured(ctx.state), ...ctx.state });\nconst structured = (value) => JSON.parse(JSON.stringify(value));`;
    expect(await around(copies, async (args) => say(JSON.stringify(args)))).toEqual({
      ok: true,
      result: say('{"mood":"calm"}'),
    });
  });

  it('keeps the error code of the result it passes on', async () => {
    const outcome = await around(`export const hook = (ctx, args, next) => next(args);`, () =>
      Promise.resolve({ ...say('late'), isError: true, errorCode: 'AGENT_TIMEOUT' }),
    );
    expect(outcome).toEqual({ ok: true, result: { ...say('late'), isError: true, errorCode: 'AGENT_TIMEOUT' } });
  });

  it('shows state under names that objects have of themselves', async () => {
    const state = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":[3]}');
    const code = `export function hook(ctx: any) { return JSON.stringify(ctx.state) + JSON.stringify(ctx.state['__proto__']); }`;
    expect(await around(code, () => Promise.resolve(say('x')), { context: { state } })).toEqual({
      ok: true,
      result: say(`${JSON.stringify(state)}{"x":1}`),
    });
  });

  it('tells the tool itself from the rest of the chain, and keeps the arguments where none are given', async () => {
    const asked: unknown[] = [];
    const next = (args: JsonObject, to?: string) => {
      asked.push([args, to]);
      return Promise.resolve(say('fine'));
    };
    const ways = [
      'next()',
      'next(undefined)',
      'next(null)',
      'next({})',
      'ctx.originalToolFunc()',
      'ctx.originalToolFunc({ z: 1 })',
    ];
    for (const way of ways) {
      const code = `export function hook(ctx: any, args: any, next: any) { args.y = 2; return ${way}; }`;
      expect(await around(code, next)).toEqual({ ok: true, result: say('fine') });
    }
    const kept = { x: 50, y: 2 };
    expect(asked).toEqual([
      [kept, 'chain'],
      [kept, 'chain'],
      [{}, 'chain'],
      [{}, 'chain'],
      [kept, 'tool'],
      [{ z: 1 }, 'tool'],
    ]);
    const both = `export async function hook(ctx: any, args: any, next: any) { await next(args); return ctx.originalToolFunc(args); }`;
    expect(await around(both, next)).toMatchObject({ ok: false, message: expect.stringContaining('more than once') });
  });

  it('fails when it throws, returns nothing, or calls next twice', async () => {
    const next = () => Promise.resolve(say('fine'));
    expect(await around(`export const hook = async () => {\n  throw new Error('closed'); };`, next)).toEqual({
      ok: false,
      message: 'hooks.ts:hook: Error: closed (hooks.ts:2)',
    });
    expect(await around(`export async function hook(ctx, args, next) { await next(args); }`, next)).toEqual({
      ok: false,
      message: 'hooks.ts:hook: It returned nothing. Return what next gave, or a result.',
    });
    const twice = `export async function hook(ctx, args, next) { const [a] = await Promise.all([next(args), next(args)].map((p) => p)); return a; }`;
    expect(await around(twice, next)).toMatchObject({ ok: false, message: expect.stringContaining('more than once') });
    const hidden = `export async function hook(ctx, args, next) { const a = await next(args); try { await next(args); } catch {} return a; }`;
    expect(await around(hidden, next)).toMatchObject({ ok: false, message: expect.stringContaining('more than once') });
  });

  it('has time of its own: waiting for next does not count', async () => {
    const slow = () => new Promise<ToolResult>((done) => setTimeout(() => done(say('slow')), 400));
    const pass = `export const hook = (ctx, args, next) => next(args);`;
    expect(await around(pass, slow, { timeoutMs: 200 })).toEqual({ ok: true, result: say('slow') });
    const sleepy = `export const hook = () => new Promise((done) => setTimeout(done, 5000));`;
    expect(await around(sleepy, slow, { timeoutMs: 100 })).toEqual({
      ok: false,
      message: 'hooks.ts:hook: It took longer than 100 ms.',
    });
  });

  it('stops with the run', async () => {
    const stop = new AbortController();
    const asked = around(
      `export const hook = (ctx, args, next) => next(args);`,
      () => {
        stop.abort();
        return new Promise(() => {});
      },
      { signal: stop.signal },
    );
    expect(await asked).toEqual({ ok: false, message: 'hooks.ts:hook: It was stopped.' });
  });

  it('wraps more calls at once than there are threads', async () => {
    const { hook } = hostsOf(
      front,
      { 'hooks.ts': `export async function hook(ctx: any, args: any, next: any) { return next({ n: args.n + 1 }); }` },
      { threads: 3 },
    );
    let waiting = 0;
    let release = () => {};
    const all = new Promise<void>((done) => {
      release = done;
    });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        hook({ n }, async (args) => {
          waiting += 1;
          if (waiting === 20) release();
          await all;
          return say(String(args.n));
        }),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_, n) => ({ ok: true, result: say(String(n + 1)) })));
  });
});

describe('TypeScript phase hooks', () => {
  it.each([
    ['ctx.agentName = "other"', "'ctx.agentName' is read-only. docs/code.md lists what a hook may change."],
    ['ctx.state.list.push(1)', /'ctx.state.list.\d' is read-only/],
    ['ctx.agentRegistry', "Callboard's hook context has no 'agentRegistry'. docs/code.md lists what it has."],
  ])('say what they may not do: %s', async (code, problem) => {
    const { hosts, card } = hostsOf('tool_hooks: {before_llm_call: "hooks.ts:phase"}', {
      'hooks.ts': `export function phase(ctx: any) { ctx.message ??= undefined; ${code}; }`,
    });
    const hook = card.toolHooks.form === 'phases' ? card.toolHooks.phases.before_llm_call : undefined;
    if (hook === undefined) throw new Error('no phase');
    const context = { agentName: 'coder', messageHistory: [], state: { list: [0] } };
    const outcome = await hosts.hooks.phase(hook, 'before_llm_call', context, { signal: quiet, log() {} });
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(problem) });
  });

  it('change messages, skip calls and add messages', async () => {
    const { hosts, card } = hostsOf('tool_hooks: {before_tool_call: "hooks.ts:phase"}', {
      'hooks.ts': `export async function phase(ctx: any) {
        if (ctx.hookType !== 'before_tool_call' || ctx.iteration !== 2) throw new Error('context');
        ctx.message.toolCalls[0].arguments.x = 1;
        ctx.message.toolCalls.splice(1, 1);
        ctx.appendMessages('be brief');
      }`,
    });
    if (card.toolHooks.form !== 'phases' || !card.toolHooks.phases.before_tool_call) throw new Error('no phase');
    const message = {
      role: 'assistant',
      content: [],
      stopReason: 'tool_use',
      toolCalls: [
        { id: 'a', name: 'add', argumentsText: '{ "x": 5 }' },
        { id: 'b', name: 'add', argumentsText: '{}' },
        { id: 'c', name: 'add', argumentsText: 'not json' },
      ],
    };
    const outcome = await hosts.hooks.phase(
      card.toolHooks.phases.before_tool_call,
      'before_tool_call',
      { message, messageHistory: [], iteration: 2 },
      { signal: quiet, log() {} },
    );
    expect(outcome).toEqual({
      ok: true,
      changes: {
        message: {
          ...message,
          toolCalls: [{ id: 'a', name: 'add', argumentsText: '{"x":1}' }, message.toolCalls[2]],
        },
        appendMessages: [{ role: 'user', content: [{ type: 'text', text: 'be brief' }] }],
      },
    });
  });

  it.each([
    ['after_llm_call', "ctx.stop('Send it?')", { ok: true, changes: { stop: 'Send it?' } }],
    ['after_tool_call', 'ctx.stop()', { ok: true, changes: { stop: '' } }],
    ['after_tool_call', 'ctx.stop(undefined)', { ok: true, changes: { stop: '' } }],
    [
      'before_llm_call',
      'ctx.stop()',
      { ok: false, message: expect.stringContaining('ctx.stop is for after_llm_call and after_tool_call.') },
    ],
  ] as const)('stop the turn for a person: %s %s', async (phase, code, outcome) => {
    const { hosts, card } = hostsOf(`tool_hooks: {${phase}: "hooks.ts:phase"}`, {
      'hooks.ts': `export function phase(ctx: any) { ${code}; }`,
    });
    const hook = card.toolHooks.form === 'phases' ? card.toolHooks.phases[phase] : undefined;
    if (hook === undefined) throw new Error('no phase');
    const context = { agentName: 'coder', messageHistory: [] };
    expect(await hosts.hooks.phase(hook, phase, context, { signal: quiet, log() {} })).toEqual(outcome);
  });
});
