import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/base/json';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { textResult as say } from '@/lib/testing/code-calls';
import { hasPython, testCodeHosts, textsOf as text } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');
const isPythonHere = hasPython();

const quiet = new AbortController().signal;
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

describe.skipIf(!isPythonHere)('the example of the hook specification', () => {
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

describe.skipIf(!isPythonHere)('Python function tools', () => {
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
            additionalProperties: false,
            required: ['size'],
          },
          order: { type: 'string', enum: ['up', 'down'] },
          mode: { type: 'string', enum: ['fast', 'slow'], default: 'fast' },
          limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null },
          ids: { anyOf: [{ type: 'integer' }, { type: 'string' }], default: 1 },
          rest: { default: null },
        },
        additionalProperties: false,
        required: ['query', 'tags', 'weights', 'page'],
      },
    });
  });

  it('keep the bounds they show, read Args: of the docstring, and take null for what may be left out', async () => {
    const { hosts, card, call } = hostsOf('function_tools: [t.py:pick]', {
      't.py': `from typing import Annotated, List, Optional
class FieldInfo:
    def __init__(self, default=..., description=None, **bounds):
        self.default, self.description = default, description
        self.metadata = [type('Bound', (), {name: value})() for name, value in bounds.items()]
Field = FieldInfo
def pick(
    count: Annotated[int, Field(ge=1, lt=5)],
    code: Annotated[str, Field(pattern='^[a-z]+$', max_length=3)] = 'a',
    names: Annotated[List[str], Field(min_length=1)] = ['x'],
    share: float = Field(0.5, gt=0, le=1, description='of all'),
    maybe: Annotated[Optional[int], Field(ge=0)] = None,
):
    '''Picks.

    Args:
        count (int): How many,
            at most four.
        code: The code: short.
        share: not this text

    Returns:
        maybe: nothing
    '''
    return [count, code, names, share, maybe]
`,
    });
    const { tools } = await hosts.tools.list(card, quiet);
    expect(tools[0]?.inputSchema.properties).toEqual({
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 5, description: 'How many, at most four.' },
      code: { type: 'string', pattern: '^[a-z]+$', maxLength: 3, default: 'a', description: 'The code: short.' },
      names: { type: 'array', items: { type: 'string' }, minItems: 1, default: ['x'] },
      share: { type: 'number', exclusiveMinimum: 0, maximum: 1, default: 0.5, description: 'of all' },
      maybe: { anyOf: [{ type: 'integer' }, { type: 'null' }], minimum: 0, default: null },
    });
    expect(await call('pick', { count: 4, code: null, names: null, share: null, maybe: null })).toMatchObject({
      content: [{ text: '[4,"a",["x"],0.5,null]' }],
    });
    for (const [args, message] of [
      [{ count: 0 }, 'count must be at least 1, not 0'],
      [{ count: 5 }, 'count must be less than 5, not 5'],
      [{ count: 1, code: 'A' }, "code must match '^[a-z]+$', not 'A'"],
      [{ count: 1, code: 'abcd' }, "code must have a length of at most 3, not 'abcd'"],
      [{ count: 1, names: [] }, 'names must have a length of at least 1'],
      [{ count: 1, share: 1.5 }, 'share must be at most 1, not 1.5'],
      [{ count: 1, maybe: -1 }, 'maybe must be at least 0, not -1'],
      [{ count: null }, 'count must be a whole number'],
    ] as const) {
      expect(await call('pick', args)).toMatchObject({
        errorCode: 'INPUT_VALIDATION',
        content: [{ text: expect.stringContaining(message) }],
      });
    }
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

  it('may have parameters that are given by position or by name only', async () => {
    const { call } = hostsOf('function_tools: [t.py:f, t.py:g]', {
      't.py': `def f(a: int, b: int = 2, c: int = 3, /, d: int = 4, *, e: int = 5):
    return [a, b, c, d, e]
async def g(a: int, /):
    return a
`,
    });
    expect(text(await call('f', { a: '1' }))).toEqual(['[1,2,3,4,5]']);
    expect(text(await call('f', { a: 1, c: 0, e: 0 }))).toEqual(['[1,2,0,4,0]']);
    expect(text(await call('g', { a: 7 }))).toEqual(['7']);
    expect(await call('f', {})).toMatchObject({ errorCode: 'INPUT_VALIDATION' });
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

describe.skipIf(!isPythonHere)('Python that cannot be loaded', () => {
  it('is found before the run, with file and line', async () => {
    const { hosts, card } = hostsOf(
      'function_tools: [a.py:gone, a.py:number, a.py:far, b.py:f, c.py:f, d.py:f, dead.py:f]\ntool_hooks: [h.py:few, h.py:late]',
      {
        'a.py': `import os\n\nnumber = 'x'\nif os:\n    number = 3\n\ndef f():\n    number = 1\nfrom h import two as far\n`,
        'b.py': `import os\n\nraise RuntimeError('not today')\n`,
        'c.py': `def f(:\n    pass\n`,
        'd.py': `def f(*all):\n    pass\n`,
        'dead.py': `import os\nos._exit(3)\n`,
        'h.py': `\nasync def few(ctx):\n    pass\nlate = lambda ctx, args, call_next: 1\ndef two(*all): pass\n`,
      },
    );
    const issues = await hosts.hooks.load(card, quiet);
    expect(issues.map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`)).toEqual([
      "code-load coder.md:4 Function tool 'a.py:gone': 'gone' is not defined at top level.",
      "code-load a.py:5 Function tool 'a.py:number': 'number' is not callable but a int.",
      "code-load a.py:9 Function tool 'a.py:far': 'far' cannot be a tool: it takes '*all', which no model can fill; give it named parameters.",
      "code-load b.py:3 Function tool 'b.py:f': RuntimeError: not today",
      expect.stringMatching(/^code-load c.py:1 .*SyntaxError/),
      "code-load d.py:1 Function tool 'd.py:f': 'f' cannot be a tool: it takes '*all', which no model can fill; give it named parameters.",
      "code-load dead.py:1 Function tool 'dead.py:f': The Python process ended: exit code 3.",
      "code-load h.py:2 Hook 'h.py:few': 'few' must take (ctx, args, call_next).",
      "code-load h.py:4 Hook 'h.py:late': Hook function 'late' must be async. Write 'async def late'.",
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
