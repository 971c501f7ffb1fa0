import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ToolHookPhase } from '@/lib/cards/card';
import type { ToolResult } from '@/lib/runtime/record/messages';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { codeCalls, textResult as say } from '@/lib/testing/code-calls';
import { codeCard } from '@/lib/testing/code-card';
import { hasPython, testCodeHosts } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');
const isPythonHere = hasPython();

const quiet = new AbortController().signal;

describe.skipIf(!isPythonHere)('Python middleware', () => {
  const around = (code: string, next: (args: JsonObject) => Promise<ToolResult>, timeoutMs?: number) =>
    hostsOf('tool_hooks: [h.py:hook]', { 'h.py': code }).hook(
      { x: 1 },
      next,
      timeoutMs === undefined ? {} : { timeoutMs },
    );

  /** Hooks from files `h0.py`, `h1.py`, … of one host, because a Python process takes long to start. */
  const hooksOf = (codes: readonly string[]) => {
    const files = Object.fromEntries(codes.map((code, at) => [`h${at}.py`, code]));
    const { hosts } = hostsOf('', files);
    return codes.map((_, at) => codeCalls(hosts, codeCard(`tool_hooks: [h${at}.py:hook]`, files).card).hook);
  };

  it('sees the context of the specification, read-only', async () => {
    const code = `from mcp.types import CallToolResult, TextContent
async def hook(ctx, args, call_next):
    try:
        ctx.agent_name = 'other'
    except AttributeError:
        names = ['agent_name', 'instance_name', 'server_name', 'tool_name', 'tool_source', 'tool_use_id', 'correlation_id', 'state']
        text = repr([getattr(ctx, name) for name in names])
        assert isinstance(await ctx.original_tool_func(args), CallToolResult)
        return CallToolResult(content=[TextContent(type='text', text=text)])
`;
    expect(await around(code, () => Promise.resolve(say('x')))).toEqual({
      ok: true,
      result: say("['coder', 'coder', None, 'add', 'function', 'call', 'c0', {'mood': 'calm'}]"),
    });
  });

  it('shows state under names that objects of JavaScript have of themselves', async () => {
    const state = JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":[3]}');
    const code = `import json\nasync def hook(ctx, args, call_next):\n    return json.dumps(dict(ctx.state), separators=(',', ':'))\n`;
    const asked = hostsOf('tool_hooks: [h.py:hook]', { 'h.py': code });
    expect(await asked.hook({}, () => Promise.resolve(say('x')), { context: { state } })).toEqual({
      ok: true,
      result: say(JSON.stringify(state)),
    });
  });

  it('tells the tool itself from the rest of the chain, and keeps the arguments where none are given', async () => {
    const asked: unknown[] = [];
    const next = (args: JsonObject, to?: string) => {
      asked.push([args, to]);
      return Promise.resolve(say('x'));
    };
    const ways = [
      'call_next()',
      'call_next(None)',
      'call_next({})',
      'ctx.original_tool_func()',
      "ctx.original_tool_func({'z': 1})",
    ];
    const codes = ways.map(
      (way) => `async def hook(ctx, args, call_next):\n    args['y'] = 2\n    return await ${way}\n`,
    );
    for (const hook of hooksOf(codes)) expect(await hook({ x: 1 }, next)).toEqual({ ok: true, result: say('x') });
    const kept = { x: 1, y: 2 };
    expect(asked).toEqual([
      [kept, 'chain'],
      [{}, 'chain'],
      [{}, 'chain'],
      [kept, 'tool'],
      [{ z: 1 }, 'tool'],
    ]);
  });

  it('cannot change the state it is shown, but a copy of it', async () => {
    const code = (line: string) => `import copy, json
async def hook(ctx, args, call_next):
    mine = copy.deepcopy(ctx.state)
    mine['seen'].append(1)
    assert mine == {'seen': [0, 1]} and json.dumps(dict(ctx.state)) == '{"seen": [0]}'
    ${line}
    return await call_next(args)
`;
    const lines = ['pass', "ctx.state['a'] = 1", "ctx.state['seen'].append(1)", 'ctx.state.update(a=1)'];
    for (const [at, hook] of hooksOf(lines.map(code)).entries()) {
      const outcome = await hook({}, () => Promise.resolve(say('x')), { context: { state: { seen: [0] } } });
      const readOnly = 'this is read-only: change a copy. docs/code.md lists what a hook may change.';
      expect(outcome).toEqual(
        at === 0
          ? { ok: true, result: say('x') }
          : { ok: false, message: `h${at}.py:hook: TypeError: ${readOnly} (h${at}.py:6)` },
      );
    }
  });

  it('fails when it raises, returns nothing or calls next twice', async () => {
    const next = () => Promise.resolve(say('fine'));
    expect(await around(`async def hook(ctx, args, call_next):\n    raise PermissionError('closed')\n`, next)).toEqual({
      ok: false,
      message: 'h.py:hook: PermissionError: closed (h.py:2)',
    });
    expect(await around(`async def hook(ctx, args, call_next):\n    await call_next(args)\n`, next)).toEqual({
      ok: false,
      message: 'h.py:hook: It returned nothing. Return what next gave, or a result.',
    });
    const hidden = `async def hook(ctx, args, call_next):
    result = await call_next(args)
    try:
        await call_next(args)
    except Exception:
        pass
    return result
`;
    expect(await around(hidden, next)).toMatchObject({ ok: false, message: expect.stringContaining('more than once') });
  });

  it('has time of its own: waiting for next does not count', async () => {
    const slow = () => new Promise<ToolResult>((done) => setTimeout(() => done(say('slow')), 1_500));
    const pass = `async def hook(ctx, args, call_next):\n    return await call_next(args)\n`;
    expect(await around(pass, slow, 1_000)).toEqual({ ok: true, result: say('slow') });
  });

  it('wraps more calls at once than there are processes', async () => {
    const { hook } = hostsOf(
      'tool_hooks: [h.py:hook]',
      { 'h.py': `async def hook(ctx, args, call_next):\n    return await call_next({'n': args['n'] + 1})\n` },
      { processes: 2 },
    );
    let waiting = 0;
    let release = () => {};
    const all = new Promise<void>((done) => {
      release = done;
    });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        hook({ n }, async (args) => {
          waiting += 1;
          if (waiting === 8) release();
          await all;
          return say(String(args.n));
        }),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 8 }, (_, n) => ({ ok: true, result: say(String(n + 1)) })));
  });
});

describe.skipIf(!isPythonHere)('Python phase hooks', () => {
  const message = {
    role: 'assistant',
    content: [{ type: 'text', text: 'let me see' }],
    stopReason: 'tool_use',
    toolCalls: [
      { id: 'a', name: 'add', argumentsText: '{ "x": 5 }' },
      { id: 'b', name: 'add', argumentsText: '{}' },
    ],
  };

  async function phase(
    code: string,
    context: JsonObject,
    key = 'before_tool_call',
    type: ToolHookPhase = 'before_tool_call',
  ) {
    const [run] = phasesOf([code], key, type);
    if (run === undefined) throw new Error('no phase hook');
    return await run(context);
  }

  /** Phase hooks from files `h.py`, `h1.py`, … of one host, because a Python process takes long to start. */
  function phasesOf(codes: readonly string[], key = 'before_tool_call', type: ToolHookPhase = 'before_tool_call') {
    const names = codes.map((_, at) => (at === 0 ? 'h.py' : `h${at}.py`));
    const files = Object.fromEntries(codes.map((code, at) => [names[at] ?? '', code]));
    const { hosts } = hostsOf('', files);
    return names.map((name) => async (context: JsonObject) => {
      const { card } = codeCard(`tool_hooks: {${key}: "${name}:hook"}`, files);
      expect(await hosts.hooks.load(card, quiet)).toEqual([]);
      const ref = card.toolHooks.form === 'phases' ? Object.values(card.toolHooks.phases)[0] : undefined;
      if (ref === undefined) throw new Error('no phase hook');
      return await hosts.hooks.phase(ref, type, context, { signal: quiet, log() {} });
    });
  }

  it('stop the turn for a person, after the model or the tools', async () => {
    const asks = `async def hook(ctx):\n    ctx.stop('Send it?')\n`;
    expect(await phase(asks, { message }, 'after_llm_call', 'after_llm_call')).toEqual({
      ok: true,
      changes: { stop: 'Send it?' },
    });
    const plain = `async def hook(ctx):\n    ctx.stop()\n`;
    expect(await phase(plain, { message }, 'after_tool_call', 'after_tool_call')).toEqual({
      ok: true,
      changes: { stop: '' },
    });
    expect(await phase(plain, { message })).toMatchObject({
      ok: false,
      message: expect.stringContaining('ctx.stop is for after_llm_call and after_tool_call.'),
    });
  });

  it('change arguments, skip a call and add a message as upstream’s do', async () => {
    const code = `from fast_agent.hooks.hook_context import HookContext
async def hook(ctx: HookContext) -> None:
    assert ctx.hook_type == 'before_tool_call' and ctx.agent_name == 'coder' and ctx.iteration == 2
    assert ctx.message.first_text() == 'let me see' and len(ctx.message_history) == 1
    ctx.message.tool_calls['a'].params.arguments['x'] = 1
    del ctx.message.tool_calls['b']
    ctx.runner.append_messages('be brief')
`;
    const context = {
      agentName: 'coder',
      iteration: 2,
      message,
      messageHistory: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
    };
    expect(await phase(code, context)).toEqual({
      ok: true,
      changes: {
        message: { ...message, toolCalls: [{ id: 'a', name: 'add', argumentsText: '{"x":1}' }] },
        appendMessages: [{ role: 'user', content: [{ type: 'text', text: 'be brief' }] }],
      },
    });
  });

  it('change nothing when they only look', async () => {
    const context = { agentName: 'coder', message, messageHistory: [message] };
    expect(await phase(`async def hook(ctx):\n    print(ctx.message.tool_calls)\n`, context)).toEqual({
      ok: true,
      changes: {},
    });
  });

  it('edit results and replace the history', async () => {
    const results = {
      role: 'tool',
      results: [{ callId: 'a', result: { ...say('secret'), isError: true, errorCode: 'AGENT_TIMEOUT' } }],
    };
    const code = `async def hook(ctx):
    ctx.message.tool_results['a'].content[0].text = 'hidden'
    ctx.load_message_history(ctx.message_history[-1:])
`;
    const user = (word: string) => ({ role: 'user', content: say(word).content.map((block) => ({ ...block })) });
    expect(await phase(code, { message: results, messageHistory: [user('one'), user('two')] })).toEqual({
      ok: true,
      changes: {
        message: {
          role: 'tool',
          results: [{ callId: 'a', result: { ...say('hidden'), isError: true, errorCode: 'AGENT_TIMEOUT' } }],
        },
        messageHistory: [user('two')],
      },
    });
  });

  it('say what they may not change', async () => {
    const names = ['agent_name', 'state', 'agent.name', 'runner.iteration', "state['a']"];
    const codes = names.map((name) => `async def hook(ctx):\n    ctx.${name} = 1\n`);
    const outcomes = await inTurn(phasesOf(codes), { message, state: {} });
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(/\(h\d?\.py:2\)$/) });
    }
    expect(outcomes.at(-1)).toMatchObject({ message: expect.stringContaining('read-only') });
  });

  const user = (word: string) => ({ role: 'user', content: say(word).content.map((block) => ({ ...block })) });

  it('read what fast-agent’s context has, by attribute', async () => {
    const code = `from fast_agent.hooks import HookContext, show_hook_message
from fast_agent.types import LlmStopReason, RequestParams
async def hook(ctx: HookContext) -> None:
    runner, agent = ctx.runner, ctx.agent
    assert ctx.agent_name == agent.name == 'kid[2]' and agent.config.name == 'kid' and agent.config.use_history
    assert isinstance(ctx.request_params, RequestParams) and ctx.request_params.use_history is True
    assert ctx.request_params.max_tokens == 9 and ctx.request_params.temperature is None
    assert runner.request_params is ctx.request_params and runner.agent is agent
    assert runner.iteration == ctx.iteration == 3 and not runner.is_done
    assert [one.role for one in runner.turn_messages] == ['user', 'assistant']
    assert runner.last_message.stop_reason == LlmStopReason.TOOL_USE
    assert runner.delta_messages[0].first_text() == 'go'
    assert ctx.usage.cumulative_input_tokens == 4 and ctx.usage.context_usage_percentage is None
    assert ctx.context is None and ctx.agent_registry is None and ctx.get_agent('kid') is None
    assert ctx.message_history[-1] is ctx.message
    show_hook_message(ctx, 'seen', hook_name='hook')
`;
    const context = {
      agentName: 'kid[2]',
      agentConfig: { name: 'kid', use_history: true },
      iteration: 3,
      message,
      messageHistory: [user('go'), message],
      deltaMessages: [user('go')],
      turnMessages: [user('go'), message],
      usage: { inputTokens: 4, outputTokens: 1 },
      requestParams: { maxTokens: 9, use_history: true },
    };
    expect(await phase(code, context)).toEqual({ ok: true, changes: {} });
  });

  it('keep what they set on the runner, whatever process runs the next one', async () => {
    const first = `async def hook(ctx):
    seen = getattr(ctx.runner, '_seen', set())
    seen.add('rg x')
    ctx.runner._seen = seen
    ctx.runner._more = {'n': 1, 2: (None, b'a')}
`;
    const kept = await phase(first, { message });
    if (!kept.ok) throw new Error(kept.message);
    const { runner = {} } = kept.changes;
    const next = `async def hook(ctx):
    assert ctx.runner._seen == {'rg x'} and ctx.runner._more == {'n': 1, 2: (None, b'a')}
    del ctx.runner._more
`;
    expect(await phase(next, { message, runner })).toMatchObject({ ok: true, changes: { runner: { _seen: {} } } });
    const bad = await phase('async def hook(ctx):\n    ctx.runner.f = open\n', { message });
    expect(bad).toMatchObject({ ok: false, message: expect.stringContaining('ctx.runner.f') });
  });

  it('change request_params for the rest of the turn', async () => {
    const requestParams = { maxTokens: 9, use_history: true };
    const set = `from fast_agent.types import RequestParams
async def hook(ctx):
    assert RequestParams(max_tokens=5).max_tokens == 5
    ctx.request_params.max_tokens = 20
    ctx.runner.request_params.stop_sequences = ['END']
    assert ctx.request_params.max_tokens == ctx.request_params['max_tokens'] == 20
`;
    const first = await phase(set, { message, requestParams });
    if (!first.ok) throw new Error(first.message);
    const runner = { request_params: { max_tokens: 20, stop_sequences: ['END'] } };
    expect(first.changes).toEqual({ runner });
    const next = `async def hook(ctx):
    assert ctx.request_params.max_tokens == 20 and ctx.request_params.use_history
    ctx.request_params.temperature = 0.5
    ctx.runner.mine = 1
`;
    expect(await phase(next, { message, requestParams, runner })).toEqual({
      ok: true,
      changes: { runner: { mine: 1, request_params: { ...runner.request_params, temperature: 0.5 } } },
    });
    expect(await phase('async def hook(ctx):\n    pass\n', { message, requestParams, runner })).toEqual({
      ok: true,
      changes: {},
    });
    const lines = ['use_history = False', 'model = "x"', 'max_tokens = open'];
    const codes = lines.map((line) => `async def hook(ctx):\n    ctx.request_params.${line}\n`);
    for (const outcome of await inTurn(phasesOf(codes), { message })) {
      expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(/\(h\d?\.py:2\)$/) });
    }
  });

  it('change the message at hand once, wherever it stands, and add to delta_messages', async () => {
    const code = `from mcp_types import CallToolResult, TextContent
async def hook(ctx):
    ctx.message.content[0].text = 'edited'
    ctx.load_message_history([])
    one = CallToolResult(content=[TextContent(type='text', text='x')], is_error=True)
    assert one.is_error and one.isError
    if ctx.hook_type == 'before_llm_call':
        ctx.runner.delta_messages.append(ctx.runner.turn_messages[0])
        ctx.runner.append_messages('and this')
`;
    const context = {
      message: user('go'),
      messageHistory: [user('old')],
      deltaMessages: [user('go')],
      turnMessages: [user('turn')],
    };
    expect(await phase(code, context, 'before_llm_call', 'before_llm_call')).toEqual({
      ok: true,
      changes: { message: user('edited'), messageHistory: [], appendMessages: [user('turn'), user('and this')] },
    });
    const looks = `async def hook(ctx):\n    ctx.message.content[0].text = 'edited'\n`;
    const at = { message: user('go'), messageHistory: [user('old'), user('go')] };
    expect(await phase(looks, at)).toEqual({ ok: true, changes: { message: user('edited') } });
    const out = `async def hook(ctx):\n    ctx.runner.delta_messages.clear()\n`;
    expect(await phase(out, context, 'before_llm_call', 'before_llm_call')).toMatchObject({ ok: false });
  });

  it('say what they are not offered', async () => {
    expect(await phase(`async def hook(ctx):\n    ctx.memory\n`, { message })).toEqual({
      ok: false,
      message:
        "h.py:hook: AttributeError: Callboard's hook context has no 'memory'. docs/code.md lists what it has. (h.py:2)",
    });
  });
});

async function inTurn<Outcome>(
  hooks: readonly ((context: JsonObject) => Promise<Outcome>)[],
  context: JsonObject,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const hook of hooks) outcomes.push(await hook(context));
  return outcomes;
}
