import { describe, expect, it } from 'vitest';
import type { Json } from '@/lib/base/json';
import type { HookContext } from '@/lib/runtime/ports';
import { type ToolResult, textOf } from '@/lib/runtime/record/messages';
import { type FakeClock, fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, type FakeHook, fakeHooks, textResult } from '@/lib/testing/fake-hooks';
import { fakeTools } from '@/lib/testing/fake-tools';
import { type GraphOptions, graphOf } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { runGraph, type TestRun } from '@/lib/testing/run-graph';
import { scriptedModel, type TestCall } from '@/lib/testing/scripted-model';

describe('a chain of hooks', () => {
  it('wraps the call, the first declared hook outermost', async () => {
    const said: string[] = [];
    const wrap = (name: string): FakeHook => ({
      async around(_, args, next) {
        said.push(`${name} before`);
        const result = await next(args);
        said.push(`${name} after`);
        return result;
      },
    });
    const { run, tools } = await callOnce({ hooks: { a: wrap('a'), b: wrap('b') }, said });
    expect(said).toEqual(['a before', 'b before', 'tool', 'b after', 'a after']);
    expect(tools.calls).toHaveLength(1);
    expect(steps(run)).toEqual([
      'tool.started lead#t1',
      'hook.started lead#t1.h1',
      'hook.started lead#t1.h2',
      'tool.returned lead#t1',
      'hook.ended lead#t1.h2',
      'hook.ended lead#t1.h1',
      'tool.ended lead#t1',
    ]);
    expect(run.sink.of('hook.started')[0]).toMatchObject({ hook: 'hooks.py:a', phase: 'around', around: 'lead#t1' });
  });

  it('a layer may run the tool itself, past the layers further in', async () => {
    const inner: FakeHook = { around: () => 'inner answered' };
    const { run, tools, result } = await callOnce({
      hooks: { a: { around: (_, args, next) => next({ ...args, x: 2 }, 'tool') }, b: inner },
      args: { x: 1 },
    });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ x: 2 }]);
    expect(result.content).toEqual([text('worked')]);
    expect(run.sink.of('hook.started').map(({ hook }) => hook)).toEqual(['hooks.py:a']);
    const chained = await callOnce({ hooks: { a: { around: (_, args, next) => next(args) }, b: inner } });
    expect(chained.result.content).toEqual([text('inner answered')]);
  });

  it('records when each layer called the next one, and how long it waited for it', async () => {
    const clock = fakeClock();
    const slow = (before: number, after: number): FakeHook => ({
      async around(_, args, next) {
        await clock.sleep(before);
        const result = await next(args);
        await clock.sleep(after);
        return result;
      },
    });
    const { run } = await callOnce({
      clock,
      hooks: { a: slow(10, 20), b: slow(3, 4), c: { around: () => 'answered' } },
    });
    expect(run.sink.of('hook.ended').map(({ step, next }) => [step, next])).toEqual([
      ['lead#t1.h3', undefined],
      ['lead#t1.h2', { afterMs: 3, ms: 0 }],
      ['lead#t1.h1', { afterMs: 10, ms: 7 }],
    ]);
  });

  it('changes arguments before and results after, and records the difference', async () => {
    const { run, tools, result } = await callOnce({
      hooks: {
        a: { around: async (_, args, next) => tagged(await next({ ...args, x: 10 })) },
      },
      args: { x: 99, y: 1 },
    });
    expect(tools.calls.map(({ args }) => args)).toEqual([{ x: 10, y: 1 }]);
    expect(result).toEqual({ content: [text('worked'), text('[audit]')], isError: false });
    expect(run.sink.of('hook.ended')).toMatchObject([
      {
        calledNext: true,
        changes: [
          { what: 'arguments', before: { x: 99 }, after: { x: 10 } },
          {
            what: 'result',
            before: { content: [text('worked')] },
            after: { content: [text('worked'), text('[audit]')] },
          },
        ],
      },
    ]);
    // The call stays as the model asked for it.
    expect(run.sink.of('tool.started')).toMatchObject([{ arguments: { x: 99, y: 1 } }]);
  });

  it('lets a hook answer instead of the tool', async () => {
    const { run, tools, result } = await callOnce({ hooks: { a: { around: () => 'blocked' }, b: {} } });
    expect(tools.calls).toEqual([]);
    expect(result).toEqual(textResult('blocked'));
    expect(run.sink.of('hook.ended')).toMatchObject([
      { step: 'lead#t1.h1', calledNext: false, changes: [{ what: 'result', before: null, after: { isError: false } }] },
    ]);
  });

  it('makes an error result of what a hook raises', async () => {
    const { run, result } = await callOnce({ hooks: { a: { around: () => raise('too risky') } } });
    expect(result).toEqual({
      content: [text("Error: Hook 'hooks.py:a' failed: too risky")],
      isError: true,
      errorCode: 'HOOK_FAILED',
    });
    expect(run.outcome.status).toBe('completed');
    expect(run.sink.of('hook.ended')).toMatchObject([{ calledNext: false, error: 'too risky' }]);
  });

  it('goes on without a hook that raised before the tool, when its policy is skip', async () => {
    const { tools, result, run } = await callOnce({
      hooks: { a: { around: () => raise('oops') }, b: { around: async (_, args, next) => tagged(await next(args)) } },
      policies: { 'hooks.py:a': { on_error: 'skip' } },
    });
    expect(tools.calls).toHaveLength(1);
    expect(textOf(result.content)).toBe('worked\n[audit]');
    expect(run.sink.of('hook.ended').map(({ step, error }) => [step, error])).toEqual([
      ['lead#t1.h1', 'oops'],
      ['lead#t1.h2', undefined],
    ]);
  });

  it('keeps what the tool gave when a skipped hook raised after it', async () => {
    const { tools, result } = await callOnce({
      hooks: {
        a: {
          async around(_, args, next) {
            await next(args);
            throw new Error('late');
          },
        },
      },
      policies: { 'hooks.py:a': { on_error: 'skip' } },
    });
    expect(tools.calls).toHaveLength(1);
    expect(result).toEqual(textResult('worked'));
  });

  it('runs the tool once however often next is called: the second call is an error', async () => {
    const { tools, result } = await callOnce({
      hooks: {
        a: {
          async around(_, args, next) {
            await next(args);
            return next(args);
          },
        },
      },
    });
    expect(tools.calls).toHaveLength(1);
    expect(result.errorCode).toBe('HOOK_FAILED');
    expect(textOf(result.content)).toBe("Error: Hook 'hooks.py:a' failed: next was called 2 times");
  });

  it('waits for the tool when a hook did not, and notes it', async () => {
    const { run, result } = await callOnce({
      hooks: {
        a: {
          around(_, args, next) {
            void next(args);
            return 'early';
          },
        },
      },
    });
    expect(result).toEqual(textResult('early'));
    expect(run.sink.of('log').map(({ code, step }) => [code, step])).toEqual([['hook_left_early', 'lead#t1.h1']]);
    expect(steps(run).slice(-3)).toEqual(['tool.returned lead#t1', 'hook.ended lead#t1.h1', 'tool.ended lead#t1']);
  });

  it('hears nothing more of a hook that calls next after its end', async () => {
    let late: Promise<ToolResult> | undefined;
    const { tools } = await callOnce({
      hooks: {
        a: {
          around(_, args, next) {
            late = Promise.resolve().then(async () => {
              for (let turns = 0; turns < 50; turns++) await null;
              return next(args);
            });
            return 'done';
          },
        },
      },
    });
    expect((await late)?.errorCode).toBe('HOOK_FAILED');
    expect(tools.calls).toEqual([]);
  });

  it('tells each hook who is called, as the seed has it', async () => {
    const seen: HookContext[] = [];
    const hooks = fakeHooks({
      a: {
        around(context, args, next) {
          seen.push(context);
          return next(args);
        },
      },
    });
    const parsed = graphOf('lead > kid', { cards: { lead: chainOf('a') } });
    const calls: TestCall[] = [
      { tool: 'time__get_time', id: 'one' },
      { tool: 'add_one', id: 'two' },
      { tool: 'agent__kid', arguments: { text: 'x' }, id: 'three' },
      { tool: 'shell', id: 'four' },
      { tool: 'nowhere', id: 'five' },
    ];
    const { log } = await runGraph({
      parsed,
      hooks,
      model: scriptedModel({ lead: [{ calls }, 'end'], kid: 'hi' }),
      tools: {
        mcp: fakeTools({ time__get_time: () => 'noon' }),
        function: fakeTools({ add_one: () => '2' }, { source: 'function' }),
        runtime: fakeTools({ shell: () => 'ok' }, { source: 'runtime' }),
      },
    });
    const identity = { agentName: 'lead', instanceName: 'lead', correlationId: 'c0', state: {} };
    expect(seen).toEqual([
      { ...identity, toolUseId: 'one', toolSource: 'mcp', serverName: 'time', toolName: 'time__get_time' },
      { ...identity, toolUseId: 'two', toolSource: 'function', serverName: null, toolName: 'add_one' },
      // A delegation has a correlation id of its own.
      {
        ...identity,
        toolUseId: 'three',
        toolSource: 'agent',
        serverName: 'agent',
        toolName: 'agent__kid',
        correlationId: 'c1',
      },
      { ...identity, toolUseId: 'four', toolSource: 'runtime', serverName: 'runtime', toolName: 'shell' },
      { ...identity, toolUseId: 'five', toolSource: 'runtime', serverName: 'runtime', toolName: 'nowhere' },
    ]);
    const unknown = log.find((event) => event.kind === 'tool.ended' && event.callId === 'five');
    expect(unknown).toMatchObject({ result: { errorCode: 'UNKNOWN_TOOL' } });
  });

  it('hands what a hook made of the arguments to a child', async () => {
    const hooks = fakeHooks({ a: { around: (_, args, next) => next({ ...args, text: 'changed' }) } });
    const model = scriptedModel({
      lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'asked' } }] }, 'end'],
      kid: 'hi',
    });
    const run = await runGraph({ parsed: graphOf('lead > kid', { cards: { lead: chainOf('a') } }), hooks, model });
    expect(run.sink.of('instance.started').map(({ path, input }) => [path, input])).toEqual([
      ['lead', 'go'],
      ['lead/kid[1]', 'changed'],
    ]);
    expect(model.requests.find(({ agentName }) => agentName === 'kid')?.messages).toEqual([
      { role: 'user', content: [text('changed')] },
    ]);
    expect(run.sink.of('tool.started')).toMatchObject([{ arguments: { text: 'asked' } }]);
  });

  it('shows the child that a hook kept from running', async () => {
    const hooks = fakeHooks({ a: { around: () => 'not now' } });
    const model = scriptedModel({ lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'] });
    const run = await runGraph({ parsed: graphOf('lead > kid', { cards: { lead: chainOf('a') } }), hooks, model });
    expect(run.sink.of('instance.queued').map(({ path }) => path)).toEqual(['lead', 'lead/kid[1]']);
    expect(run.sink.of('instance.ended')[0]).toMatchObject({
      path: 'lead/kid[1]',
      status: 'cancelled',
      error: { code: 'not_called' },
    });
    expect(run.sink.of('tool.ended')).toMatchObject([{ result: textResult('not now') }]);
  });

  it('ends every hook that a stop cuts off', async () => {
    const controller = new AbortController();
    const hooks = fakeHooks({
      a: {
        around(_, args, next) {
          return next(args);
        },
      },
      b: {
        around() {
          controller.abort();
          return new Promise<ToolResult>(() => {});
        },
      },
    });
    const parsed = graphOf('lead', { cards: { lead: chainOf('a', 'b') } });
    const run = await runGraph({ parsed, hooks, model: oneCall(), tools: { mcp: box([]) }, signal: controller.signal });
    expect(run.outcome.status).toBe('cancelled');
    expect(steps(run).slice(-3)).toEqual(['hook.ended lead#t1.h2', 'hook.ended lead#t1.h1', 'tool.ended lead#t1']);
    expect(run.log.at(-1)?.kind).toBe('run.finished');
  });
});

describe('where hooks come from', () => {
  const note = (said: string[], name: string): FakeHook => ({
    around(context, args, next) {
      said.push(`${name} ${context.instanceName} ${context.toolName}`);
      return next(args);
    },
  });
  const options = (edge: object): GraphOptions => ({
    cards: { kid: chainOf('own') },
    settings: {
      run_hooks: hookEntries(['hooks.py:everywhere']),
      agent_hooks: { kid: hookEntries(['hooks.py:mine']) },
      delegations: { lead: { kid: edge } },
    },
  });
  const scripts = {
    lead: [{ calls: [{ tool: 'agent__kid', arguments: { text: 'x' } }] }, 'end'],
    kid: [{ calls: [{ tool: 'box__work' }] }, 'end'],
  };

  it('the run’s hooks are outermost and inherited; then agent_hooks; then the card’s own', async () => {
    const said: string[] = [];
    const hooks = fakeHooks({
      everywhere: note(said, 'run'),
      mine: note(said, 'agent'),
      own: note(said, 'card'),
    });
    await runGraph({
      parsed: graphOf('lead > kid', options({})),
      hooks,
      model: scriptedModel(scripts),
      tools: { mcp: box([]) },
    });
    expect(said).toEqual([
      'run lead agent__kid',
      'run kid[1] box__work',
      'agent kid[1] box__work',
      'card kid[1] box__work',
    ]);
  });

  it('inherit_run_hooks: false removes the hooks of the run for the child and below', async () => {
    const said: string[] = [];
    const hooks = fakeHooks({ everywhere: note(said, 'run'), mine: note(said, 'agent'), own: note(said, 'card') });
    const parsed = graphOf('lead > kid', options({ inherit_run_hooks: false }));
    await runGraph({ parsed, hooks, model: scriptedModel(scripts), tools: { mcp: box([]) } });
    expect(said).toEqual(['run lead agent__kid', 'agent kid[1] box__work', 'card kid[1] box__work']);
  });

  it('does not run an agent whose hooks are code where no code runs', async () => {
    const parsed = graphOf('lead', { settings: { run_hooks: hookEntries(['hooks.py:guard', { block: {} }]) } });
    const { outcome } = await runGraph({ parsed, model: oneCall(), tools: { mcp: box([]) } });
    expect(outcome.error).toEqual({
      code: 'hooks_unavailable',
      message:
        "Agent 'lead' has hooks that cannot run here: hooks.py:guard. Remove them from callboard.yaml to run it without.",
    });
  });

  it('runs declarative hooks where no code runs', async () => {
    const parsed = graphOf('lead', { settings: { run_hooks: hookEntries([{ block: { when: { tool: 'box__*' } } }]) } });
    const run = await runGraph({ parsed, model: oneCall(), tools: { mcp: box([]) } });
    expect(run.sink.of('tool.ended')).toMatchObject([{ result: { errorCode: 'NOT_ALLOWED' } }]);
  });

  it('loads the code of every agent that can be reached, callboard.yaml’s too, and no other', async () => {
    const hooks = fakeHooks({ own: { around: (_, args, next) => next(args) } });
    const parsed = graphOf('lead > kid; stray', {
      cards: { kid: chainOf('own'), stray: chainOf('own') },
      settings: { agent_hooks: { lead: hookEntries(['hooks.py:mine', { log: {} }]) } },
    });
    await runGraph({ parsed, hooks, model: scriptedModel({ lead: 'hi' }), request: { agent: 'lead' } });
    expect(hooks.loaded.map(({ name, toolHooks }) => [name, toolHooks])).toEqual([
      ['lead', chainOf('mine').toolHooks],
      ['kid', chainOf('own').toolHooks],
    ]);
  });

  it('says what is wrong with code before the first model call', async () => {
    const hooks = fakeHooks({}, [
      {
        code: 'code-raised',
        severity: 'error',
        stage: 'callboard',
        file: 'hooks.py',
        line: 3,
        column: 1,
        message: "Hook 'hooks.py:a': it is not async.",
      },
    ]);
    const model = oneCall();
    const { outcome } = await runGraph({ parsed: graphOf('lead', { cards: { lead: chainOf('a') } }), hooks, model });
    expect(outcome.error).toEqual({ code: 'code_invalid', message: "hooks.py:3: Hook 'hooks.py:a': it is not async." });
    expect(model.requests).toEqual([]);
  });
});

interface OneCall {
  readonly hooks: Readonly<Record<string, FakeHook>>;
  readonly args?: Readonly<Record<string, Json>>;
  readonly policies?: NonNullable<GraphOptions['settings']>['hooks'];
  readonly said?: string[];
  readonly clock?: FakeClock;
}

async function callOnce({ hooks, args = {}, policies = {}, said = [], clock = fakeClock() }: OneCall) {
  const parsed = graphOf('lead', {
    cards: { lead: chainOf(...Object.keys(hooks)) },
    settings: { hooks: policies },
  });
  const tools = box(said);
  const run = await runGraph({ parsed, hooks: fakeHooks(hooks), model: oneCall(args), tools: { mcp: tools }, clock });
  const [ended] = run.sink.of('tool.ended');
  if (!ended) throw new Error('The call has no end.');
  return { run, tools, result: ended.result };
}

function oneCall(args: Readonly<Record<string, Json>> = {}) {
  return scriptedModel({ lead: [{ calls: [{ tool: 'box__work', arguments: args }] }, 'end'] });
}

function box(said: string[]) {
  return fakeTools({
    box__work() {
      said.push('tool');
      return 'worked';
    },
  });
}

function steps(run: TestRun): string[] {
  return run.log.flatMap((event) =>
    (event.kind.startsWith('tool.') || event.kind.startsWith('hook.')) && 'step' in event
      ? [`${event.kind} ${event.step}`]
      : [],
  );
}

function tagged(result: ToolResult): ToolResult {
  return { ...result, content: [...result.content, text('[audit]')] };
}

function text(value: string) {
  return { type: 'text' as const, text: value };
}

function raise(message: string): never {
  throw new Error(message);
}
