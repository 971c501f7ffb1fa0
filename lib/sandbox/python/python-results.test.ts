import { describe, expect, it } from 'vitest';
import { createCodeHosts } from '@/lib/sandbox/code-hosts';
import { textResult as say } from '@/lib/testing/code-calls';
import { hasPython, testCodeHosts, textsOf } from '@/lib/testing/test-code-hosts';

const hostsOf = testCodeHosts(createCodeHosts, 'with python');
const quiet = new AbortController().signal;

/** What a function returns, and the text of its result. */
const returned: readonly (readonly [expression: string, text: string])[] = [
  ['2**53 + 1', '9007199254740993'],
  ['-(2**64)', '-18446744073709551616'],
  ['10**310', `1${'0'.repeat(310)}`],
  ["{'n': 10**310}", `{"n":"1${'0'.repeat(310)}"}`],
  ["float('nan')", 'nan'],
  ["[float('inf'), 1.5, -0.5]", '["inf",1.5,-0.5]'],
  ['(1, 2)', '[1,2]'],
  ['{3, 1, 2}', '[1,2,3]'],
  ["frozenset(['b', 'a'])", '["a","b"]'],
  ["Point(1, 'two')", '{"x":1,"label":"two"}'],
  ["collections.namedtuple('P', 'x y')(1, 2)", '[1,2]'],
  ["b'\\x00\\xff'", 'AP8='],
  ['datetime.date(2026, 11, 28)', '2026-11-28'],
  ['datetime.datetime(2026, 11, 28, 9, 30, tzinfo=datetime.timezone.utc)', '2026-11-28T09:30:00+00:00'],
  ["decimal.Decimal('0.10')", '0.10'],
  ['Color.RED', 'red'],
  ["{2: 'b', Color.RED: 1}", '{"2":"b","red":1}'],
  ['(n * n for n in range(4))', '[0,1,4,9]'],
  ['map(str, [1, 2])', '["1","2"]'],
  ['range(3)', '[0,1,2]'],
  ["{'a': 1}.keys()", '["a"]'],
  ['collections.deque([1, 2])', '[1,2]'],
  ["types.MappingProxyType({'a': 1})", '{"a":1}'],
  ['numbers()', '[1,2]'],
];

/** What a function returns, and why that is an error. */
const refused: readonly (readonly [expression: string, message: RegExp])[] = [
  ['10**5000', /An integer with about 5001 digits is too long for a result\. Return a part of it/],
  ["{1: 'a', '1': 'b'}", /Two keys of a dict are both '1' as text/],
  ['object()', /A value of type 'object' has no JSON form\. Return text, a number, a list/],
  ['print', /A value of type 'builtin_function_or_method' has no JSON form/],
  ['looped()', /nested more than 400 levels deep, or contains itself\. Return a flatter one/],
  ['nested(1200)', /nested more than 400 levels deep/],
  ['itertools.count()', /A generator gave more than 1,000,000 items\. Return fewer of them/],
  ["'x' * 5_000_000", /The result has 5000002 characters as JSON; the limit is \d+\./],
];

const head = `import collections, dataclasses, datetime, decimal, enum, functools, itertools, types, typing

class Color(enum.Enum):
    RED = 'red'

@dataclasses.dataclass
class Point:
    x: int
    label: str

async def numbers():
    yield 1
    yield 2

def looped():
    inner = []
    inner.append(inner)
    return inner

def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value
`;

describe.skipIf(!hasPython())('what a Python tool returns', () => {
  const all = [...returned, ...refused].map(([expression]) => expression);
  const functions = all.map((expression, at) => `def f${at}():\n    return ${expression}\n`).join('\n');
  const specs = all.map((_, at) => `t.py:f${at}`).join(', ');
  const host = () => hostsOf(`function_tools: [${specs}]`, { 't.py': `${head}\n${functions}` });

  it('arrives as it was', async () => {
    const { call } = host();
    const texts = [];
    for (const at of returned.keys()) texts.push(textsOf(await call(`f${at}`)).join(''));
    expect(texts).toEqual(returned.map(([, text]) => text));
  });

  it('or is an error at once, with a sentence', async () => {
    const { call } = host();
    for (const [at, [, message]] of refused.entries()) {
      const result = await call(`f${returned.length + at}`);
      expect([result.isError, result.errorCode]).toEqual([true, 'TOOL_FAILED']);
      expect(textsOf(result).join('')).toMatch(message);
    }
  });

  it('is an error at once too if code has changed the runner, so that the result cannot be read', async () => {
    const code = `import sys
def deep():
    main = sys.modules['__main__']
    main.json_values.result_json = lambda value: value
    value = 1
    for _ in range(600):
        value = {'a': [value]}
    sys.setrecursionlimit(100_000)
    return value
`;
    const { call } = hostsOf('function_tools: [t.py:deep]', { 't.py': code });
    expect(textsOf(await call('deep')).join('')).toMatch(/cannot be read: it is nested too deeply/);
  });

  it('has its place in a hook too: what cannot be JSON fails the hook with the sentence', async () => {
    const code = 'async def hook(ctx, args, call_next):\n    return await call_next({"x": object()})\n';
    const { hook } = hostsOf('tool_hooks: [h.py:hook]', { 'h.py': code });
    expect(await hook({}, () => Promise.resolve(say('tool')))).toEqual({
      ok: false,
      message: expect.stringContaining("A value of type 'object' has no JSON form."),
    });
  });
});

describe.skipIf(!hasPython())('the parameters of a Python tool', () => {
  it('keep their types in a partial, an object that is called, a NewType and a TypedDict', async () => {
    const code = `${head}
try:
    from typing import NotRequired
except ImportError:
    NotRequired = None

class Order(typing.TypedDict):
    id: int
    note: NotRequired[str] if NotRequired else str

Customer = typing.NewType('Customer', int)

def pay(order: Order, customer: Customer, times: int = 1) -> str:
    """Pays.

    Args:
        times: how often
    """
    return repr([order, customer, times])

class Search:
    """A class."""
    def __call__(self, query: str, limit: int = 5) -> str:
        """Searches."""
        return repr([query, limit])

twice = functools.partial(pay, times=2)
search = Search()
`;
    const { hosts, card, call } = hostsOf('function_tools: [t.py:twice, t.py:search]', { 't.py': code });
    const { tools, issues } = await hosts.tools.list(card, quiet);
    expect(issues).toEqual([]);
    expect(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema.properties])).toEqual([
      [
        'twice',
        'Pays.\n\nArgs:\n    times: how often',
        {
          order: expect.objectContaining({ properties: { id: { type: 'integer' }, note: { type: 'string' } } }),
          customer: { type: 'integer' },
          times: { type: 'integer', default: 2, description: 'how often' },
        },
      ],
      ['search', 'Searches.', { query: { type: 'string' }, limit: { type: 'integer', default: 5 } }],
    ]);
    expect(textsOf(await call('twice', { order: { id: 1, note: 'a' }, customer: '7' }))).toEqual([
      "[{'id': 1, 'note': 'a'}, 7, 2]",
    ]);
    expect(textsOf(await call('search', { query: 'q', limit: 'x' })).join('')).toContain(
      'limit must be a whole number',
    );
  });
});
