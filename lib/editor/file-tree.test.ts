import { expect, test } from 'vitest';
import { fileTree, folderMoves, pathIn } from './file-tree';

const words = (...given: Parameters<typeof fileTree>) =>
  fileTree(...given).map(
    ({ kind, name, depth, count }) => `${'  '.repeat(depth)}${name}${kind === 'folder' ? `/ ${count}` : ''}`,
  );

test('folders come before files, each by name', () => {
  expect(words(['b.md', 'a/z.py', 'a/b/c.py', 'a.md'], ['new/one'])).toEqual([
    'a/ 2',
    '  b/ 1',
    '    c.py',
    '  z.py',
    'new/ 0',
    '  one/ 0',
    'a.md',
    'b.md',
  ]);
});

test('a closed folder hides what is below it', () => {
  expect(words(['a/z.py', 'a/b/c.py', 'd.md'], [], new Set(['a']))).toEqual(['a/ 2', 'd.md']);
});

test('files move with their folder', () => {
  expect([...folderMoves(['a/x', 'a/b/y', 'ab/z'], 'a', 'c/d')]).toEqual([
    ['a/x', 'c/d/x'],
    ['a/b/y', 'c/d/b/y'],
  ]);
  expect([pathIn('', 'a/b.py'), pathIn('c', 'a/b.py')]).toEqual(['b.py', 'c/b.py']);
});
