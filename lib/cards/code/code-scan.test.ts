import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blankJavaScript, blankPython } from './blank-text';
import { type Language, languageOf, scanCode } from './code-scan';

/** `missing`, `perhaps`, `value` or `function`. */
function told(language: Language, source: string, name: string): string {
  const scan = scanCode(language, source);
  return scan.known.get(name)?.kind ?? (scan.mayDefine(name) ? 'perhaps' : 'missing');
}

describe('JavaScript and TypeScript', () => {
  const source = `import { far } from './lib/far';
export { inner as outer };
function inner(args: {x: number}) { const hidden = 1; return args.x + hidden }
export { far };
export { far as far2 } from './lib/far';
 export function indented(x: number) { return x }
const p = 1; export function sameline(x: number) { return x }
export const a1 = (x: number) => x, a2 = (x: number) => x + 1;
export let viaFn = function (x: number) { return x };
export const wrapped = ((f: any) => f)((args: {x: number}) => args.x);
/* c */ export async function commented(x: number) { return x }
export async function* gen(x: number) { yield x }
export
function newline(x: number) { return x }
const { taken, of: renamed } = make();
const later = (x: number) => x;
export { later };
const word: string = 'three';
const half = 7 / 2; const ratio = half / 3; // function noted() {}
const pattern = /[/"'\`]{1}function inRegExp/;
const tpl = \`
export function fake(x) { \${later(\`\${1}\`)} }
\`;
class Tool { method() {} }
`;
  test.each([
    ['outer', 'perhaps'],
    ['inner', 'function'],
    ['far', 'perhaps'],
    ['far2', 'perhaps'],
    ['indented', 'function'],
    ['sameline', 'function'],
    ['a1', 'function'],
    ['a2', 'perhaps'],
    ['viaFn', 'perhaps'],
    ['wrapped', 'perhaps'],
    ['commented', 'function'],
    ['gen', 'function'],
    ['newline', 'function'],
    ['taken', 'perhaps'],
    ['renamed', 'perhaps'],
    ['later', 'function'],
    ['word', 'value'],
    ['p', 'value'],
    ['noted', 'missing'],
    ['inRegExp', 'missing'],
    ['fake', 'missing'],
    ['hidden', 'missing'],
    ['method', 'missing'],
    ['gone', 'missing'],
  ])('says of %s: %s', (name, answer) => {
    expect(told('javascript', source, name)).toBe(answer);
  });

  test.each([
    ["export * from './lib/star';", 'star'],
    ['module.exports = { ...all };', 'f'],
    ['exports.f = g;', 'f'],
    ["if (x) /'/.test(y);", 'f'],
    ['const a = `open', 'f'],
    ['function f() {', 'g'],
  ])('says nothing of what it cannot tell: %s', (code, name) => {
    expect(told('javascript', code, name)).toBe('perhaps');
  });

  test('tells what is exported only where it is certain', () => {
    const text =
      'function a() {}\nfunction b() {}\nexport { b };\nfunction c() {}\nexport default c;\nexport const d = () => 1;';
    const scan = scanCode('javascript', text);
    const found = ['a', 'b', 'c', 'd'].map((name) => {
      const one = scan.known.get(name);
      return one?.kind === 'function' ? one.isExported : undefined;
    });
    expect(found).toEqual([false, true, true, true]);
  });
});

describe('Python', () => {
  const source = `import os, sys as system
from lib import far
from a.b import (
    c,
    d as e,
)
"""
def quoted(): pass
"""
# def commented(): pass
LIMIT: int = 3
number = 5
text = f'{"x"} {number}'
def plain(x: int) -> int:
    local = 1
    return x
if True:
    def incond(x): return x
try:
    import nothere
except ImportError:
    def intry(x): return x
alias = plain
part = functools.partial(plain, 3)
lam = lambda x: x
async  def hook(
    ctx,
    args,
) -> None:
    inner = ctx
@functools.lru_cache(
    maxsize=3,
)
def decorated(x): return x
class Tool:
    def method(self): pass
def again(): pass
again = wrap(again)
def setter():
    global made
    made = 1
word = "w"
`;
  test.each([
    ['os', 'perhaps'],
    ['system', 'perhaps'],
    ['far', 'perhaps'],
    ['c', 'perhaps'],
    ['e', 'perhaps'],
    ['quoted', 'missing'],
    ['commented', 'missing'],
    ['LIMIT', 'perhaps'],
    ['word', 'value'],
    ['plain', 'function'],
    ['local', 'missing'],
    ['incond', 'perhaps'],
    ['intry', 'perhaps'],
    ['alias', 'perhaps'],
    ['part', 'perhaps'],
    ['lam', 'perhaps'],
    ['hook', 'function'],
    ['inner', 'missing'],
    ['method', 'missing'],
    ['made', 'perhaps'],
    ['gone', 'missing'],
  ])('says of %s: %s', (name, answer) => {
    expect(told('python', source, name)).toBe(answer);
  });

  test('tells what a function is only where nothing wraps it or binds it again', () => {
    const { known } = scanCode('python', source);
    expect(['hook', 'plain', 'decorated', 'again'].map((name) => known.get(name))).toEqual([
      { kind: 'function', line: 26, isAsync: true, positional: { least: 2, most: 2 } },
      { kind: 'function', line: 14 },
      { kind: 'function', line: 34 },
      { kind: 'function', line: 37 },
    ]);
    expect(known.get('word')).toEqual({ kind: 'value', line: source.split('\n').length - 1 });
  });

  test.each(['from lib import *', "globals()['f'] = 1", 'def __getattr__(name): ...', "x = 'open"])(
    'says nothing of what it cannot tell: %s',
    (code) => {
      expect(told('python', code, 'f')).toBe('perhaps');
    },
  );

  test.each([
    ['(ctx, args, call_next)', 3, 3],
    ['(ctx, args: dict[str, int] | None, call_next: "Callable[[A, B], C]" = None, /)', 2, 3],
    ['(\n    ctx,  # the context\n    *rest,\n    **more,\n) -> None', 1, Infinity],
    ['(ctx, *, loud=False)', 1, 1],
    ['(ctx, *, loud)', Infinity, 1],
    ['(a=f(1, 2), b=(1, [2, 3]))', 0, 2],
    ['()', 0, 0],
  ])('counts what a function takes: %s', (parameters, least, most) => {
    const found = scanCode('python', `async def hook${parameters}:\n    pass\n`).known.get('hook');
    expect(found).toEqual({ kind: 'function', line: 1, isAsync: true, positional: { least, most } });
  });

  test('does not count what it cannot read', () => {
    expect(scanCode('python', 'def hook(a, b').known.get('hook')).toEqual({
      kind: 'function',
      line: 1,
      isAsync: false,
    });
  });
});

test('every character keeps its place when text is blanked', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: signs of a template
  const sign = fc.constantFrom(...'"\'`/*#\\\n ${}()[]=,', 'a', 'f', '"""', '//', '/*', '*/', 'return ', '${', 'é');
  const source = fc.array(sign, { maxLength: 40 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(source, (text) => {
      for (const blanked of [blankJavaScript(text).text, blankPython(text).text]) {
        expect(blanked.length).toBe(text.length);
        expect(blanked.replaceAll(/[^\n]/g, ' ')).toBe(text.replaceAll(/[^\n]/g, ' '));
      }
    }),
  );
});

test('tells the language by the extension', () => {
  expect(['a.py', 'a.mjs', 'a.ts', 'a.cts', 'a.rb'].map(languageOf)).toEqual([
    'python',
    'javascript',
    'javascript',
    'javascript',
    undefined,
  ]);
});
