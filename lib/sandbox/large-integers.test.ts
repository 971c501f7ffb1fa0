import { describe, expect, it, test } from 'vitest';
import { brandAs, type CallId } from '@/lib/base/ids';
import type { JsonObject } from '@/lib/base/json';
import { assistantMessage } from '@/lib/runtime/record/message-schema';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { hasPython, testCodeHosts, textsOf } from '@/lib/testing/test-code-hosts';
import { phaseChanges } from './phase-view';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');
const id = 9007199254740993n;

/** Runs a phase hook after a model that has called `show` with an id. */
async function changesBy(file: string, name: string, code: string) {
  const { hosts } = hostsOf('', { [file]: code });
  const toolCalls = [{ id: brandAs<CallId>('c1'), name: 'show', argumentsText: `{"id": ${id}}` }];
  const message = { role: 'assistant', content: [], toolCalls, stopReason: 'tool_use' };
  const view = { message, messageHistory: [], iteration: 1 };
  const ref = { spec: `${file}:${name}`, file, functionName: name };
  return await hosts.hooks.phase(ref, 'after_llm_call', view, { signal: new AbortController().signal, log() {} });
}

function argumentsIn(outcome: Awaited<ReturnType<typeof changesBy>>): unknown {
  const message = outcome.ok ? outcome.changes.message : outcome.message;
  return assistantMessage.parse(message).toolCalls[0]?.argumentsText;
}

describe.skipIf(!hasPython())('integers beyond 2^53 in Python', () => {
  const files = {
    't.py':
      'def show(id: int) -> str:\n    return str(id)\n\ndef new_id():\n    return {"id": 9007199254740993}\n\ndef number() -> int:\n    return 9007199254740993\n',
    'h.py':
      'async def check(ctx, args, call_next):\n    assert args["id"] == 9007199254740993\n    return await call_next(args)\n',
  };

  it('reach a function and come back with their digits', async () => {
    const { call } = hostsOf('function_tools: [t.py:show, t.py:new_id, t.py:number]', files);
    expect(textsOf(await call('show', { id }))).toEqual(['9007199254740993']);
    expect(await call('new_id')).toMatchObject({
      content: [{ type: 'text', text: '{"id":9007199254740993}' }],
      structuredContent: { id },
    });
    expect(textsOf(await call('number'))).toEqual(['9007199254740993']);
  });

  it('are what a hook makes of them', async () => {
    const code = 'async def text(ctx, args, call_next):\n    return await call_next({**args, "id": str(args["id"])})\n';
    const { hook } = hostsOf('tool_hooks: [h.py:text]', { 'h.py': code });
    const seen: unknown[] = [];
    await hook({ id }, (args) => {
      seen.push(args);
      return Promise.resolve({ content: [], isError: false });
    });
    expect(seen).toEqual([{ id: '9007199254740993' }]);
  });

  it('stay in the text of a message that a phase hook leaves alone, and on the runner', async () => {
    const code = 'async def look(ctx):\n    ctx.runner.started = 1700000000000000000\n';
    const changed = await changesBy('h.py', 'look', code);
    expect(changed).toMatchObject({ ok: true });
    expect(JSON.stringify(changed)).not.toContain('90071992547409');
  });

  it('stay in a call of which a phase hook changes another argument, and are what it makes of them', async () => {
    const calls = 'async def look(ctx):\n    args = ctx.message.tool_calls["c1"].params.arguments\n';
    const note = await changesBy('h.py', 'look', `${calls}    args["note"] = str(args["id"])\n`);
    expect(argumentsIn(note)).toBe(`{"id":${id},"note":"${id}"}`);
    const other = await changesBy('h.py', 'look', `${calls}    args["id"] = args["id"] - 1\n`);
    expect(argumentsIn(other)).toBe('{"id":9007199254740992}');
    const text = await changesBy('h.py', 'look', `${calls}    args["id"] = str(args["id"])\n`);
    expect(argumentsIn(text)).toBe(`{"id":"${id}"}`);
  });

  it('pass a hook', async () => {
    const { hook, call } = hostsOf('function_tools: [t.py:show, t.py:new_id]\ntool_hooks: [h.py:check]', files);
    const outcome = await hook({ id }, (args) => call('show', args));
    expect(outcome.ok && textsOf(outcome.result)).toEqual(['9007199254740993']);
    expect(await hook({ id }, () => call('new_id'))).toMatchObject({ result: { structuredContent: { id } } });
  });
});

describe('integers beyond 2^53 in TypeScript', () => {
  const files = {
    't.ts': 'export function show({ id }: { id: number }) { return String(id); }',
    'h.ts':
      'export const pass = async (ctx, args, next) => next(args);\nexport const edit = async (ctx, args, next) => next({ ...args, id: 7 });',
  };

  it('are rounded for a function, and the log says so', async () => {
    const { call, logs } = hostsOf('function_tools: [t.ts:show]', files);
    expect(textsOf(await call('show', { id: 1 }))).toEqual(['1']);
    expect(logs).toEqual([]);
    expect(textsOf(await call('show', { id }))).toEqual(['9007199254740992']);
    expect(logs).toEqual([
      {
        level: 'warning',
        code: 'integer_rounded',
        message:
          't.ts:show gets 9007199254740992 for 9007199254740993: JavaScript cannot hold integers beyond 2^53. Pass such a number as text, or write the function in Python.',
      },
    ]);
  });

  it('stay in a call of which a phase hook changes another argument', async () => {
    const change = (what: string) => `export function look(ctx) { ctx.message.toolCalls[0].arguments${what}; }`;
    expect(argumentsIn(await changesBy('h.ts', 'look', change(".note = 'x'")))).toBe(`{"id":${id},"note":"x"}`);
    expect(argumentsIn(await changesBy('h.ts', 'look', change('.id = 7')))).toBe('{"id":7}');
    // JavaScript has the nearest number, so the text is of that one.
    const text = await changesBy('h.ts', 'look', change('.id += ""'));
    expect(argumentsIn(text)).toBe('{"id":"9007199254740992"}');
  });

  it('pass a hook unchanged, unless it changes them', async () => {
    const seen: unknown[] = [];
    for (const name of ['pass', 'edit']) {
      const { hook } = hostsOf(`tool_hooks: [h.ts:${name}]`, files);
      const outcome = await hook({ id, rows: [{ id }] }, (args) => {
        seen.push(args);
        return Promise.resolve({ content: [], isError: false, structuredContent: { id } });
      });
      expect(outcome).toMatchObject({ ok: true, result: { structuredContent: { id } } });
    }
    expect(seen).toEqual([
      { id, rows: [{ id }] },
      { id: 7, rows: [{ id }] },
    ]);
  });
});

test('integers beyond 2^53 that a phase hook puts into results keep their digits', () => {
  const result = (more: JsonObject) => ({
    role: 'tool',
    results: [{ callId: 'c1', result: { content: [], isError: false, ...more } }],
  });
  const after = { message: result({ structuredContent: { id } }) };
  expect(phaseChanges({ message: result({}) }, after, { isExact: true })).toEqual({
    ok: true,
    changes: { message: result({ structuredContent: { id: `${id}` } }) },
  });
});
