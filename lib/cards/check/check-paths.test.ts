import { expect, test } from 'vitest';
import { checkPaths } from './check-paths';

const found = (...paths: string[]) => checkPaths(paths).map(({ code, file }) => `${code} ${file}`);

test('names that differ only in case or Unicode form are named together', () => {
  expect(found('a.md', 'b.md', 'B.md')).toEqual(['path-clash B.md']);
  expect(found('x/é.md', 'x/e\u0301.md')).toEqual(['path-clash x/e\u0301.md']);
  const [issue] = checkPaths(['é.md', 'e\u0301.md']);
  expect(issue?.message).toContain("'e\u0301(U+0301).md' and 'é(U+00E9).md'");
  expect(issue?.severity).toBe('warning');
});

test('a file and a folder of one name are named too, also in other letters', () => {
  expect(found('Tools', 'tools/a.py', 'tools/b.py')).toEqual(['path-clash tools/a.py']);
  expect(found('tools/a.py', 'tools/b.py', 'Tools/c.py')).toEqual([]);
});

test.each(['CON', 'aux.md', 'a/nul.txt', 'a./b', 'a /b.md', 'a:b.md', 'what?.md', 'com1'])(
  '%j is refused by Windows',
  (path) => {
    expect(found(path)).toEqual([`path-not-portable ${path}`]);
  },
);

test.each(['console.md', '.env', 'a b.md', 'prefix.con', '__proto__', 'constructor'])('%j is fine', (path) => {
  expect(found(path)).toEqual([]);
});
