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
