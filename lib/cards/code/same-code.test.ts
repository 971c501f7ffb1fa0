import { describe, expect, it } from 'vitest';
import { isSameCode } from './same-code';

const same: readonly (readonly [path: string, one: string, other: string])[] = [
  ['a.ts', 'export const a = () => 1; // one', 'export const a = () =>\n  1;'],
  ['a.ts', "import { b } from './b';", "import { b } from /* all */ './b';"],
  ['a.js', "export const a = 'x';", 'export const a = "x";'],
  ['a.py', 'def f(a):\n    return a  # all\n', 'def f(a):\n\n    # all\n    return a\n'],
  ['a.py', 'f(a, b)\n', 'f(\n    a,\n    b)\n'],
  ['a.py', 'x = """a\n  b"""\n', 'x =  """a\n  b"""\n'],
];

const different: typeof same = [
  ['a.ts', 'export const a = 1;', 'export const a = 2;'],
  ['a.ts', "import { b } from './b';", "import { b } from './c';"],
  ['a.ts', 'export const a = `x y`;', 'export const a = `x  y`;'],
  ['a.ts', 'export const a = /x/;', 'export const a = /x/i;'],
  ['a.ts', 'export const a = 1n;', 'export const a = 2n;'],
  // The line end hides the call from the comment.
  ['a.js', '// no\u2028run();', '// no run();'],
  ['a.py', 'if a:\n    b()\n    c()\n', 'if a:\n    b()\nc()\n'],
  ['a.py', 'x = """a\n  b"""\n', 'x = """a\n b"""\n'],
  ['a.py', "x = '# a'\n", "x = '# b'\n"],
  ['a.py', 'a\nb\n', 'a b\n'],
  ['a.py', '# ok\n', '# ok\rimport os\n'],
  ['a.py', 'if a:\n  b()\n', 'if a:\n  b()\n\f  c()\n'],
  ['a.py', '# all\nx = 1\n', '# coding: unicode_escape\nx = 1\n'],
  ['a.py', '#!/usr/bin/python3\n', '#!/usr/bin/env sh\n'],
  ['a.py', 'f"{x(" # "+y)}"\n', 'f"{x(" # "+z)}"\n'],
  ['a.ts', 'let x = ;', 'let x = ; // no'],
  ['notes.md', 'a', 'a '],
];

describe('isSameCode', () => {
  it.each(same)('%s: comments, white space and quotes make no difference: %j and %j', (path, one, other) => {
    expect(isSameCode(path, one, other)).toBe(true);
  });

  it.each(different)('%s: what runs differs, or cannot be read: %j and %j', (path, one, other) => {
    expect(isSameCode(path, one, other)).toBe(false);
  });
});
