import { expect, test } from 'vitest';
import type { HookReport } from '@/lib/base/hook-report';
import type { AgentCard } from '@/lib/cards/card';
import { defaultSettings, type Settings } from '@/lib/cards/settings';
import { fakeClock } from '@/lib/testing/fake-clock';
import { chainOf, type FakeHook, fakeHooks, hookRef, textResult } from '@/lib/testing/fake-hooks';
import { agentCard } from '@/lib/testing/graph-of';
import { hookEntries } from '@/lib/testing/hook-entries';
import { type TriedCall, tryHooks } from './try-hooks';

const pass: FakeHook = { around: (_, args, next) => next(args) };

interface Tried extends Partial<Omit<TriedCall, 'card' | 'settings' | 'port'>> {
  readonly hooks?: Readonly<Record<string, FakeHook>>;
  readonly card?: Partial<AgentCard>;
  readonly settings?: Partial<Settings>;
}

async function tryOne({ hooks = {}, card = {}, settings = {}, ...more }: Tried) {
  const clock = fakeClock(1_000);
  const port = fakeHooks(hooks);
  const outcome = await clock.runUntil(
    tryHooks({
      card: agentCard('lead', card),
      settings: { ...defaultSettings, ...settings },
      port,
      clock,
      signal: new AbortController().signal,
      only: undefined,
      tool: 'add_one',
      source: 'function',
      serverName: undefined,
      args: { x: 99 },
      result: textResult('100'),
      state: {},
      ...more,
    }),
  );
  return { outcome, port };
}

async function reportOf(tried: Tried): Promise<HookReport> {
  const { outcome } = await tryOne(tried);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

const told = ({ steps }: HookReport) => steps.map(({ hook, phase, state }) => `${hook} ${phase}: ${state}`);

test('each hook of the chain is reported with what it got and gave', async () => {
  const report = await reportOf({
    card: chainOf('clamp', 'audit'),
    hooks: {
      clamp: { around: (_, args, next) => next({ ...args, x: 10 }) },
      audit: {
        async around(context, args, next, control) {
          control.log({ level: 'info', code: 'code_output', message: `calls ${context.toolName}` });
          const result = await next(args);
          return { ...result, content: [...result.content, { type: 'text', text: '[audit]' }] };
        },
      },
    },
  });
  const [plain, marked] = [
    { content: [{ type: 'text', text: '100' }], isError: false },
    {
      content: [
        { type: 'text', text: '100' },
        { type: 'text', text: '[audit]' },
      ],
      isError: false,
    },
  ];
  expect(report).toEqual({
    agent: 'lead',
    steps: [
      {
        hook: 'hooks.py:clamp',
        place: 1,
        phase: 'around',
        state: 'done',
        calledNext: true,
        arguments: { before: { x: 99 }, after: { x: 10 } },
        result: { before: marked, after: marked },
        log: [],
        ms: 0,
      },
      {
        hook: 'hooks.py:audit',
        place: 2,
        phase: 'around',
        state: 'done',
        calledNext: true,
        arguments: { before: { x: 10 }, after: { x: 10 } },
        result: { before: plain, after: marked },
        log: [{ level: 'info', message: 'calls add_one' }],
        ms: 0,
      },
    ],
    arguments: { x: 10 },
    toolCalls: 1,
    result: marked,
    ms: 0,
    triedAt: 1_000,
  });
});

test('a hook that answers, hooks that are not reached, and hooks for other calls', async () => {
  const report = await reportOf({
    card: chainOf('guard', 'audit'),
    settings: { run_hooks: hookEntries([{ block: { when: { tool: 'shell*' } } }]) },
    hooks: { guard: { around: () => 'refused' }, audit: pass },
  });
  expect(told(report)).toEqual([
    'block around: passed by',
    'hooks.py:guard around: done',
    'hooks.py:audit around: not reached',
  ]);
  expect(report.steps[1]).toMatchObject({ calledNext: false, arguments: { before: { x: 99 } } });
  expect(report.steps[1]?.result).toEqual({ after: textResult('refused') });
  expect(report).toMatchObject({ toolCalls: 0, result: textResult('refused') });
  expect(report.arguments).toBeUndefined();
});

test('one hook runs alone, whichever list it is in', async () => {
  const tried = {
    card: chainOf('mine'),
    settings: {
      run_hooks: hookEntries(['hooks.py:run']),
      agent_hooks: { lead: hookEntries([{ clamp: { argument: 'x', max: 5 } }, 'hooks.py:agent']) },
    },
    hooks: { mine: pass, run: pass, agent: pass },
  };
  expect(told(await reportOf(tried))).toHaveLength(4);
  const only = async (origin: 'run' | 'agent settings' | 'card', index: number) =>
    told(await reportOf({ ...tried, only: { origin, index } }));
  expect(await only('run', 0)).toEqual(['hooks.py:run around: done']);
  expect(await only('agent settings', 0)).toEqual(['clamp around: done']);
  expect(await only('agent settings', 1)).toEqual(['hooks.py:agent around: done']);
  expect(await only('card', 0)).toEqual(['hooks.py:mine around: done']);
  const { outcome } = await tryOne({ ...tried, only: { origin: 'run', index: 1 } });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('a hook that raises gives the error that the model would read, and with `skip` the call goes on', async () => {
  const hooks: Tried['hooks'] = {
    bad: {
      around: () => {
        throw new Error('no luck');
      },
    },
  };
  const failed = await reportOf({ card: chainOf('bad'), hooks });
  expect(failed.steps[0]).toMatchObject({ state: 'failed', error: 'no luck', calledNext: false });
  expect(failed.result).toMatchObject({ isError: true, errorCode: 'HOOK_FAILED' });
  const skipped = await reportOf({
    card: chainOf('bad'),
    hooks,
    settings: { hooks: { 'hooks.py:bad': { on_error: 'skip' } } },
  });
  expect(skipped).toMatchObject({ toolCalls: 1, result: textResult('100') });
  const twice = await reportOf({
    card: chainOf('twice'),
    hooks: { twice: { around: (_, args, next) => next(args).then(() => next(args)) } },
  });
  expect(twice.steps[0]).toMatchObject({ state: 'failed', error: 'next was called 2 times' });
});

test('a retry runs the hooks inside it again, and its wait is its own time', async () => {
  const error = {
    content: [{ type: 'text' as const, text: 'down' }],
    isError: true,
    errorCode: 'TOOL_FAILED' as const,
  };
  const report = await reportOf({
    card: chainOf('audit'),
    settings: { run_hooks: hookEntries([{ retry: { attempts: 2, delay_ms: 400 } }]) },
    hooks: { audit: pass },
    result: error,
  });
  expect(told(report)).toEqual(['retry around: done', 'hooks.py:audit around: done', 'hooks.py:audit around: done']);
  expect(report).toMatchObject({ toolCalls: 2, ms: 400 });
  expect(report.steps.map(({ ms }) => ms)).toEqual([400, 0, 0]);
});

test('values that a hook hides in records are hidden in the report', async () => {
  const report = await reportOf({
    card: chainOf('audit'),
    settings: { run_hooks: hookEntries([{ redact: { patterns: ['sk-[a-z]+'], in: 'both' } }]) },
    hooks: { audit: pass },
    args: { note: 'key sk-abc', api_key: 'hidden too' },
    result: textResult('got sk-abc'),
  });
  expect(JSON.stringify(report)).not.toMatch(/sk-abc|hidden too/);
  expect(report.result).toEqual(textResult('got [redacted]'));
});

test('the phases of a turn run in their order, with what they changed in the call', async () => {
  const ran = (name: string) => hookRef(name);
  const phases = {
    before_llm_call: ran('a'),
    after_llm_call: ran('b'),
    before_tool_call: ran('edit'),
    after_tool_call: ran('mark'),
    after_turn_complete: ran('e'),
  };
  const card: Partial<AgentCard> = {
    toolHooks: { form: 'phases', phases },
    lifecycleHooks: { on_start: ran('f'), on_shutdown: ran('g') },
  };
  const quiet: FakeHook = { phase: () => undefined };
  const hooks: Tried['hooks'] = {
    a: quiet,
    b: quiet,
    e: quiet,
    f: quiet,
    g: quiet,
    edit: {
      phase: ({ message }) => ({
        message: JSON.parse(JSON.stringify(message).replace('\\"x\\":99', '\\"x\\":5')),
      }),
    },
    mark: {
      phase: ({ message }) => ({ message: JSON.parse(JSON.stringify(message).replace('"100"', '"seen"')) }),
    },
  };
  const report = await reportOf({ card, hooks });
  expect(report.steps.map(({ phase }) => phase)).toEqual([
    'on_start',
    'before_llm_call',
    'after_llm_call',
    'before_tool_call',
    'after_tool_call',
    'after_turn_complete',
    'on_shutdown',
  ]);
  expect(report.steps[3]?.arguments).toEqual({ before: { x: 99 }, after: { x: 5 } });
  expect(report.steps[4]?.result).toEqual({ before: textResult('100'), after: textResult('seen') });
  expect(report).toMatchObject({ arguments: { x: 5 }, result: textResult('seen') });
  expect(told(await reportOf({ card, hooks, only: { phase: 'before_tool_call' } }))).toEqual([
    'hooks.py:edit before_tool_call: done',
  ]);
  const { outcome } = await tryOne({ card, hooks, only: { phase: 'nothing' } });
  expect(outcome).toMatchObject({ ok: false });
});

test('a stop ends a hook that hangs', async () => {
  const stop = new AbortController();
  const hooks: Tried['hooks'] = {
    hang: {
      around: () => {
        stop.abort();
        return new Promise(() => {});
      },
    },
  };
  const report = await reportOf({ card: chainOf('hang'), hooks, signal: stop.signal });
  expect(report.steps[0]).toMatchObject({ state: 'failed', error: 'The call was cancelled.' });
});
