import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import type { ToolResult } from '@/lib/runtime/messages';
import { type CodeHosts, createCodeHosts } from '@/lib/sandbox/code-hosts';
import type { CodeLimits } from '@/lib/sandbox/limits';
import { codeCalls, textResult as say } from '@/lib/testing/code-calls';
import { codeCard } from '@/lib/testing/code-card';

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;
if (!hasPython) console.warn('There is no python3 of 3.9 or newer here: the tests of Python code are skipped.');

const open: CodeHosts[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hosts) => hosts.close()));
});

const quiet = new AbortController().signal;
const text = (result: ToolResult) => result.content.map((block) => (block.type === 'text' ? block.text : block.type));

function hostsOf(
  frontMatter: string,
  files: Record<string, string>,
  limits: Partial<CodeLimits> = {},
  python = { enabled: true, interpreter: 'python3' },
) {
  const { folder, card } = codeCard(frontMatter, files);
  const hosts = createCodeHosts({ folder, python, limits });
  open.push(hosts);
  const calls = codeCalls(hosts, card);
  return { hosts, card, logs: calls.logs, call: calls.tool, hook: calls.hook };
}

const addOne = `def add_one(x: int) -> int:
    return x + 1
`;

/** Word for word the hook of the specification, without any import, as it has it. */
const auditHook = `async def audit_hook(ctx, args, call_next):
    # before: enforce limits
    if ctx.tool_name.endswith("add_one"):
        args = dict(args or {})
        args["x"] = min(int(args.get("x", 0)), 10)

    # instead: block unsafe tools
    if ctx.tool_source == "runtime" and ctx.tool_name == "shell.execute":
        return CallToolResult(isError=True, content=[text_content("blocked")])

    # call original tool
    result = await call_next(args)

    # after: log or modify result
    result.content.append(text_content("[audit]"))
    return result
`;

describe.skipIf(!hasPython)('the example of the hook specification', () => {
  const front = 'function_tools:\n  - tools.py:add_one\ntool_hooks:\n  - hooks.py:audit_hook';

  it('runs unchanged', async () => {
    const { hosts, card, call, hook } = hostsOf(front, { 'tools.py': addOne, 'hooks.py': auditHook });
    expect(await hosts.hooks.load(card, quiet)).toEqual([]);
    const outcome = await hook({ x: 50 }, (args) => call('add_one', args), { context: { toolName: 'add_one' } });
    expect(outcome).toEqual({
      ok: true,
      result: { content: [...say('11').content, ...say('[audit]').content], isError: false },
    });
  });

  it('blocks a runtime tool without calling it', async () => {
    const { hook } = hostsOf(front, { 'tools.py': addOne, 'hooks.py': auditHook });
    const outcome = await hook({}, () => Promise.reject(new Error('not to be called')), {
      context: { toolName: 'shell.execute', toolSource: 'runtime', serverName: 'runtime' },
    });
    expect(outcome).toEqual({ ok: true, result: { ...say('blocked'), isError: true, errorCode: 'TOOL_FAILED' } });
  });
});

describe.skipIf(!hasPython)('Python function tools', () => {
  it('are described by docstring and type hints', async () => {
    const { hosts, card } = hostsOf('function_tools: [t.py:search]', {
      't.py': `from __future__ import annotations
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Dict, List, Literal, Optional, Union

class Order(Enum):
    UP = "up"
    DOWN = "down"

@dataclass
class Page:
    size: int
    start: int = 0

async def search(
    query: Annotated[str, "What to look for"],
    tags: list[str],
    weights: Dict[str, float],
    page: Page,
    order: Order = Order.UP,
    mode: Literal["fast", "slow"] = "fast",
    limit: Optional[int] = None,
    ids: Union[int, str] = 1,
    rest=None,
):
    """Searches the shelf.

    Args:
        query: ignored here
    """
`,
    });
    const { tools, issues } = await hosts.tools.list(card, quiet);
    expect(issues).toEqual([]);
    expect(tools[0]).toEqual({
      name: 'search',
      description: 'Searches the shelf.\n\nArgs:\n    query: ignored here',
      source: 'function',
      remoteName: 't.py:search',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to look for' },
          tags: { type: 'array', items: { type: 'string' } },
          weights: { type: 'object', additionalProperties: { type: 'number' } },
          page: {
            type: 'object',
            properties: { size: { type: 'integer' }, start: { type: 'integer' } },
            required: ['size'],
          },
          order: { type: 'string', enum: ['up', 'down'] },
          mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
          limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
          ids: { anyOf: [{ type: 'integer' }, { type: 'string' }], default: 1 },
          rest: { default: null },
        },
        required: ['query', 'tags', 'weights', 'page'],
      },
    });
  });

  it('get arguments as their hints say, and refuse what does not fit', async () => {
    const { call } = hostsOf('function_tools: [t.py:show]', {
      't.py': `from dataclasses import dataclass
from enum import Enum
from typing import Optional
import datetime
class Order(Enum):
    UP = "up"
@dataclass
class Page:
    size: int
def show(page: Page, order: Order, when: datetime.date, n: int, limit: Optional[int] = None):
    return [repr(page), repr(order), repr(when), repr(n), repr(limit)]
`,
    });
    const good = { page: { size: 3 }, order: 'up', when: '2026-02-03', n: '7' };
    expect(text(await call('show', good))).toEqual([
      JSON.stringify(['Page(size=3)', "<Order.UP: 'up'>", 'datetime.date(2026, 2, 3)', '7', 'None']),
    ]);
    for (const [bad, problem] of [
      [{ ...good, n: 'many' }, "n must be a whole number, not str 'many'"],
      [{ ...good, order: 'left' }, "order must be one of 'up', not str 'left'"],
      [{ ...good, page: { size: 'x' } }, "page.size must be a whole number, not str 'x'"],
      [{ ...good, more: 1 }, "there is no parameter 'more'"],
      [{}, "'page' is missing"],
    ] satisfies [JsonObject, string][]) {
      const result = await call('show', bad);
      expect(result).toMatchObject({ isError: true, errorCode: 'INPUT_VALIDATION' });
      expect(text(result)[0]).toContain(problem);
    }
  });

  it('answer with text, dicts, lists, dataclasses and MCP results, sync or async', async () => {
    const tools = ['plain', 'nothing', 'record', 'many', 'data', 'whole', 'block', 'waited'];
    const { call } = hostsOf(`function_tools: [${tools.map((name) => `t.py:${name}`).join(', ')}]`, {
      't.py': `import asyncio
from dataclasses import dataclass
from mcp.types import CallToolResult, TextContent, ImageContent
@dataclass
class Point:
    x: int
def plain(): return 'hi'
def nothing(): pass
def record(): return {'a': [1.5, None]}
def many(): return [1, 2]
def data(): return Point(1)
def whole(): return CallToolResult(content=[TextContent(type='text', text='no')], isError=True)
def block(): return [TextContent(type='text', text='a'), ImageContent(type='image', data='eA==', mimeType='image/png')]
async def waited():
    await asyncio.sleep(0.01)
    return 'woke'
`,
    });
    expect(await Promise.all(tools.map((name) => call(name)))).toEqual([
      say('hi'),
      { content: [], isError: false },
      { ...say('{"a":[1.5,null]}'), structuredContent: { a: [1.5, null] } },
      say('[1,2]'),
      { ...say('{"x":1}'), structuredContent: { x: 1 } },
      { ...say('no'), isError: true, errorCode: 'TOOL_FAILED' },
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'eA==', mimeType: 'image/png' },
        ],
        isError: false,
      },
      say('woke'),
    ]);
  });

  it('name file and line when they raise, and print into the log', async () => {
    const { call, logs } = hostsOf('function_tools: [lib/t.py:fail]', {
      'lib/t.py': `import sys, logging, helper\ndef fail():\n    print('one', 'two')\n    print('last', end='')\n    print('err', file=sys.stderr)\n    return helper.deep(0)\n`,
      'lib/helper.py': `def deep(n):\n    return 1 / n\n`,
    });
    expect(text(await call('fail'))).toEqual([
      'Error: lib/t.py:fail: ZeroDivisionError: division by zero (lib/helper.py:2)',
    ]);
    expect(logs.map((log) => `${log.level} ${log.code} ${log.message}`)).toEqual([
      'info code_output lib/t.py:fail: one two',
      'warning code_output lib/t.py:fail: err',
      'info code_output lib/t.py:fail: last',
      'error code_raised lib/t.py:fail: ZeroDivisionError: division by zero\n  at deep (lib/helper.py:2)\n  at fail (lib/t.py:6)',
    ]);
  });

  it('work in a copy of the project and see no secrets', async () => {
    process.env.CALLBOARD_TEST_SECRET = 'sk-hidden';
    const { call } = hostsOf('function_tools: [t.py:look]', {
      't.py': `import os
def look():
    open('written.txt', 'w').write(open('data.txt').read())
    return {'names': sorted(os.environ), 'secret': 'sk-hidden' in str(os.environ), 'home': os.environ['HOME'] == os.path.expanduser('~'), 'read': open('written.txt').read()}
`,
      'data.txt': 'hello',
    });
    const result = await call('look');
    delete process.env.CALLBOARD_TEST_SECRET;
    expect(result.structuredContent).toEqual({
      names: ['CALLBOARD_CODE_PROCESS', 'HOME', 'LANG', 'MALLOC_ARENA_MAX', 'PATH', 'TMPDIR'],
      secret: false,
      home: true,
      read: 'hello',
    });
  });

  it('keep a module’s variables from call to call', async () => {
    const { call } = hostsOf('function_tools: [t.py:count]', {
      't.py': `calls = 0\ndef count():\n    global calls\n    calls += 1\n    return calls\n`,
    });
    expect(text(await call('count'))).toEqual(['1']);
    expect(text(await call('count'))).toEqual(['2']);
  });
});

describe.skipIf(!hasPython)('Python that cannot be loaded', () => {
  it('is found before the run, with file and line', async () => {
    const { hosts, card } = hostsOf(
      'function_tools: [a.py:gone, a.py:number, b.py:f, c.py:f, d.py:f, dead.py:f]\ntool_hooks: [h.py:few]',
      {
        'a.py': `number = 3\n`,
        'b.py': `import os\n\nraise RuntimeError('not today')\n`,
        'c.py': `def f(:\n    pass\n`,
        'd.py': `def f(*all):\n    pass\n`,
        'dead.py': `import os\nos._exit(3)\n`,
        'h.py': `\nasync def few(ctx):\n    pass\n`,
      },
    );
    const issues = await hosts.hooks.load(card, quiet);
    expect(issues.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([
      "code-load a.py:1 Function tool 'a.py:gone': 'gone' is not defined at top level.",
      "code-load a.py:1 Function tool 'a.py:number': 'number' is not callable but a int.",
      "code-load b.py:3 Function tool 'b.py:f': RuntimeError: not today",
      expect.stringMatching(/^code-load c.py:1 .*SyntaxError/),
      "code-load d.py:1 Function tool 'd.py:f': 'f' cannot be a tool: it takes '*all', which no model can fill; give it named parameters.",
      "code-load dead.py:1 Function tool 'dead.py:f': The Python process ended: exit code 3.",
      "code-load h.py:2 Hook 'h.py:few': 'few' must take (ctx, args, call_next).",
    ]);
    expect(issues.every((issue) => issue.agent === 'coder' && issue.severity === 'error')).toBe(true);
  });

  it('names the setting when the interpreter is missing', async () => {
    const { hosts, card } = hostsOf(
      'function_tools: [a.py:f]',
      { 'a.py': addOne },
      {},
      {
        enabled: true,
        interpreter: '/nowhere/python3',
      },
    );
    expect(await hosts.hooks.load(card, quiet)).toMatchObject([
      { code: 'python-missing', file: 'coder.md', message: expect.stringContaining('CALLBOARD_PYTHON') },
    ]);
  });
});

describe.skipIf(!hasPython)('hostile Python', () => {
  const limits = { callMs: 2_000, pythonMemoryBytes: 256 * 1024 * 1024, pythonProcesses: 10 };
  const attacks: Record<string, string> = {
    'an endless loop': `async def f():\n    while True: pass`,
    'an endless loop in a thread': `def f():\n    while True: pass`,
    'an endless loop of microtasks': `import asyncio\nasync def f():\n    while True:\n        try:\n            await asyncio.sleep(0)\n        except BaseException:\n            pass`,
    'an allocation without end': `def f():\n    kept = []\n    while True: kept.append(bytearray(1 << 20))`,
    'a flood of printing': `def f():\n    while True: print('x' * 1000)`,
    'a flood on the descriptor': `import os\ndef f():\n    while True: os.write(1, b'x' * 65536)`,
    'a flood of messages': `import os\ndef f():\n    while True: os.write(4, b'{"type":"log","id":1,"level":"info","text":"x"}\\n' * 100)`,
    'a fork bomb': `import os, time\ndef f():\n    for _ in range(40):\n        if os.fork() == 0: time.sleep(60)\n    time.sleep(60)`,
    'a bomb of a shell': `import subprocess\ndef f():\n    subprocess.run(['sh', '-c', 'i=0; while [ $i -lt 40 ]; do sleep 60 & i=$((i+1)); done; wait'])`,
    'an exit': `import os\ndef f():\n    os._exit(7)`,
    'a polite exit': `import sys\nasync def f():\n    sys.exit(1)`,
    'a crash': `import ctypes\ndef f():\n    ctypes.string_at(0)`,
    'a signal': `import os, signal\ndef f():\n    os.killpg(0, signal.SIGKILL)`,
    'recursion without end': `def f():\n    return f()`,
    'a catastrophic regular expression': `import re\nasync def f():\n    return bool(re.match(r'^(a+)+$', 'a' * 60 + 'b'))`,
    'a huge result': `def f():\n    return 'x' * 9000000`,
    'a result that is its own part': `def f():\n    a = {}\n    a['a'] = a\n    return a`,
    'an error that lies about itself': `class E(Exception):\n    def __str__(self): raise ValueError('no')\ndef f():\n    raise E()`,
  };

  it.each(Object.entries(attacks))('%s ends only its own call', async (_, code) => {
    const { call } = hostsOf(
      'function_tools: [bad.py:f, good.py:ok]',
      {
        'bad.py': code,
        'good.py': `import asyncio\nasync def ok(n: float):\n    await asyncio.sleep(n)\n    return n`,
      },
      limits,
    );
    const [bad, beside] = await Promise.all([call('f'), call('ok', { n: 0.5 })]);
    expect(bad.isError).toBe(true);
    expect(beside).toEqual(say('0.5'));
    expect(await call('ok', { n: 0 })).toEqual(say('0'));
  });

  it('leaves no process behind, not even one that left its group', async () => {
    const { hosts, call } = hostsOf('function_tools: [t.py:spawn]', {
      't.py': `import subprocess
def spawn():
    one = subprocess.Popen(['sleep', '987'])
    two = subprocess.Popen(['sleep', '987'], start_new_session=True)
    return [one.pid, two.pid]
`,
    });
    const pids: number[] = JSON.parse(text(await call('spawn'))[0] ?? '[]');
    expect(pids.map(isSleeping)).toEqual([true, true]);
    await hosts.close();
    await expect.poll(() => pids.map(isSleeping)).toEqual([false, false]);
  });

  it('stops with the run, and its processes with it', async () => {
    const { call } = hostsOf('function_tools: [t.py:wait]', {
      't.py': `import subprocess\ndef wait():\n    print('started', flush=True)\n    subprocess.run(['sleep', '986'])\n`,
    });
    const stop = new AbortController();
    const asked = call('wait', {}, stop.signal);
    await expect.poll(sleepers).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ isError: true, errorCode: 'AGENT_CANCELLED' });
    await expect.poll(sleepers).toBe(0);
  });

  it('end with a worker that is killed', async () => {
    const script = `
      import { createCodeHosts } from '@/lib/sandbox/code-hosts';
      import { codeCalls } from '@/lib/testing/code-calls';
      import { codeCard } from '@/lib/testing/code-card';
      const code = ['import subprocess', 'def loop():', '    subprocess.Popen(["sleep", "985"])', '    while True: pass', ''].join('\\n');
      const { folder, card } = codeCard('function_tools: [t.py:loop]', { 't.py': code });
      const hosts = createCodeHosts({ folder, python: { enabled: true, interpreter: 'python3' } });
      await codeCalls(hosts, card).tool('loop');
    `;
    const worker = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: 'inherit',
    });
    const children = () => processIds().filter((pid) => commandOf(pid).includes('sleep\x00985')).length;
    await expect.poll(children, { timeout: 20_000 }).toBe(1);
    worker.kill('SIGKILL');
    await expect.poll(children, { timeout: 5_000 }).toBe(0);
  });

  function sleepers(): number {
    return processIds().filter((pid) => commandOf(pid).includes('sleep\x00986')).length;
  }
});

function isSleeping(pid: number): boolean {
  return commandOf(pid).includes('sleep');
}

function processIds(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe.skipIf(!hasPython)('Python middleware', () => {
  const around = (code: string, next: (args: JsonObject) => Promise<ToolResult>, timeoutMs?: number) =>
    hostsOf('tool_hooks: [h.py:hook]', { 'h.py': code }).hook(
      { x: 1 },
      next,
      timeoutMs === undefined ? {} : { timeoutMs },
    );

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

describe.skipIf(!hasPython)('Python phase hooks', () => {
  const message = {
    role: 'assistant',
    content: [{ type: 'text', text: 'let me see' }],
    stopReason: 'tool_use',
    toolCalls: [
      { id: 'a', name: 'add', argumentsText: '{ "x": 5 }' },
      { id: 'b', name: 'add', argumentsText: '{}' },
    ],
  };

  async function phase(code: string, context: JsonObject, key = 'before_tool_call') {
    const { hosts, card } = hostsOf(`tool_hooks: {${key}: "h.py:hook"}`, { 'h.py': code });
    expect(await hosts.hooks.load(card, quiet)).toEqual([]);
    const ref = card.toolHooks.form === 'phases' ? Object.values(card.toolHooks.phases)[0] : undefined;
    if (ref === undefined) throw new Error('no phase hook');
    return hosts.hooks.phase(ref, 'before_tool_call', context, { signal: quiet, log() {} });
  }

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

  it('say what they are not offered', async () => {
    expect(await phase(`async def hook(ctx):\n    ctx.agent_registry\n`, { message })).toEqual({
      ok: false,
      message:
        "h.py:hook: AttributeError: Callboard's hook context has no 'agent_registry'. docs/code.md lists what it has. (h.py:2)",
    });
  });
});
