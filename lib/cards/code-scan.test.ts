import { expect, test } from 'vitest';
import { languageOf, scanDefinitions } from './code-scan';

test('finds what Python defines at its top level', () => {
  const source = `import os, sys as system
from a.b import (
    c,
    d as e,
)
"""
def quoted(): pass
"""
# def commented(): pass
LIMIT: int = 3
alias = run
def plain(x): return x
async  def hook(ctx): pass
class A:
    def method(self): pass
`;
  const found = [...scanDefinitions('python', source)].map(([name, { isAsync, isOpaque }]) =>
    isOpaque ? `${name}?` : isAsync ? `${name}*` : name,
  );
  expect(found.sort()).toEqual(['LIMIT?', 'alias?', 'c?', 'e?', 'hook*', 'os?', 'plain', 'system?']);
});

test.each([
  ['(ctx, args, call_next)', 3, 3],
  ['(ctx, args: dict[str, int] | None, call_next: "Callable[[A, B], C]" = None, /)', 2, 3],
  ['(\n    ctx,  # the context\n    *rest,\n    **more,\n) -> None', 1, Infinity],
  ['(ctx, *, loud=False)', 1, 1],
  ['(ctx, *, loud)', Infinity, 1],
  ['(a=f(1, 2), b=(1, [2, 3]))', 0, 2],
  ['()', 0, 0],
])('counts what a Python function takes: %s', (parameters, least, most) => {
  const found = scanDefinitions('python', `async def hook${parameters}:\n    pass\n`).get('hook');
  expect(found?.positional).toEqual({ least, most });
});

test('does not count what it cannot read', () => {
  expect(scanDefinitions('python', 'def hook(a, b').get('hook')).toEqual({ isAsync: false, isOpaque: false });
});

test('finds what JavaScript defines at its top level', () => {
  const source = `export async function a() {}
function b() {}
export const c = () => 1
export default function d() {}
export { b as e }
  function inner() {}
`;
  expect([...scanDefinitions('javascript', source).keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
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
