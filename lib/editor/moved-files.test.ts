import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { alignMoves } from './moved-files';

const poem = 'one\ntwo\nthree\nfour\n';
const song = 'five\nsix\nseven\neight\n';

test('what the other side wrote under the old name is compared with the new one', () => {
  const base = folderOf({ 'a.md': poem });
  const { moved, theirs } = alignMoves({
    base,
    mine: folderOf({ 'b.md': poem }),
    theirs: folderOf({ 'a.md': `${poem}five\n` }),
  });
  expect(moved).toEqual([{ from: 'a.md', to: 'b.md', by: 'mine' }]);
  expect([...theirs.keys()]).toEqual(['b.md']);
});

test('a file has one new name, the one most like it, and a new name is taken once', () => {
  const base = folderOf({ 'a.md': poem });
  const theirs = folderOf({ 'a.md': `${poem}five\n` });
  const mine = folderOf({ 'b.md': poem, 'c.md': `${poem}other\n` });
  expect(alignMoves({ base, mine, theirs }).moved).toEqual([{ from: 'a.md', to: 'b.md', by: 'mine' }]);
  const two = { 'a.md': poem, 'c.md': `${poem}more\n` };
  const edited = folderOf({ 'a.md': `${poem}x\n`, 'c.md': `${poem}more\nx\n` });
  const once = alignMoves({ base: folderOf(two), mine: folderOf({ 'b.md': poem }), theirs: edited });
  expect(once.moved).toEqual([{ from: 'a.md', to: 'b.md', by: 'mine' }]);
});

test('a file of other lines is another file', () => {
  const base = folderOf({ 'a.md': poem });
  const theirs = folderOf({ 'a.md': `${poem}five\n` });
  expect(alignMoves({ base, mine: folderOf({ 'b.md': song }), theirs }).moved).toEqual([]);
});
