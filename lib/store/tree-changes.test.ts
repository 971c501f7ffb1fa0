import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { findTreeChanges } from './tree-changes';
import { putTree } from './trees';

const { store } = await testDatabase();

const before = { 'a.md': 'one', 'b.md': 'same', 'gone.md': 'old', 'large.txt': 'x', 'empty.txt': '' };
const after = { 'a.md': 'two', 'b.md': 'same', 'new.md': 'new', 'large.txt': 'y'.repeat(300_000), 'empty.txt': '' };

async function treeOf(files: Record<string, string>, bytes?: Uint8Array) {
  const folder = new Map(folderOf(files));
  if (bytes !== undefined) folder.set('picture.png', { kind: 'binary', bytes });
  return await store.prisma.$transaction((db) => putTree(db, folder));
}

test('lists files that differ, with their texts unless they are large or no text', async () => {
  const [old, now] = [
    await treeOf(before, new Uint8Array([0xff, 0xfe, 1])),
    await treeOf(after, new Uint8Array([0xff, 0xfe, 2])),
  ];
  const none = { before: undefined, after: undefined };
  expect(await findTreeChanges(store, old, now)).toEqual([
    { path: 'a.md', change: 'changed', before: 'one', after: 'two', hidden: undefined },
    { path: 'gone.md', change: 'removed', before: 'old', after: undefined, hidden: undefined },
    { path: 'large.txt', change: 'changed', ...none, hidden: 'large' },
    { path: 'new.md', change: 'added', before: undefined, after: 'new', hidden: undefined },
    { path: 'picture.png', change: 'changed', ...none, hidden: 'binary' },
  ]);
  expect(await findTreeChanges(store, old, old)).toEqual([]);
});

test('shows the first texts when all together are too many', async () => {
  const letters = Array.from('abcdefghijklmnopqrst');
  const files = Object.fromEntries(letters.map((letter) => [`${letter}.md`, letter.repeat(250_000)]));
  const changes = await findTreeChanges(store, await treeOf({}), await treeOf(files));
  expect(changes.filter(({ hidden }) => hidden === undefined).map(({ path }) => path)).toEqual(
    letters.slice(0, 16).map((letter) => `${letter}.md`),
  );
  expect(changes.filter(({ hidden }) => hidden === 'large')).toHaveLength(4);
});
