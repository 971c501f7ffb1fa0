import { expect, test } from 'vitest';
import { brandAs, type TreeHash } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { rememberTrees } from './remember-trees';

const tree = (name: string) => brandAs<TreeHash>(name);

function counted(maxBytes?: number) {
  const reads: string[] = [];
  const read = rememberTrees(async (hash) => {
    reads.push(hash);
    return folderOf({ 'a.md': hash.repeat(400) });
  }, maxBytes);
  return { reads, read };
}

test('a tree is read once, also by runs that begin together', async () => {
  const { reads, read } = counted();
  const [one, two] = await Promise.all([read(tree('a')), read(tree('a'))]);
  expect(two).toBe(one);
  expect(await read(tree('a'))).toBe(one);
  expect(reads).toEqual(['a']);
});

test('what does not fit goes, the tree used longest ago first', async () => {
  const { reads, read } = counted(4_000);
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await read(tree(name));
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});

test('a failure is told to all who wait, and the next one reads again', async () => {
  let tries = 0;
  const read = rememberTrees(async () => {
    tries += 1;
    if (tries === 1) throw new Error('away');
    return folderOf({ 'a.md': 'a' });
  });
  const both = await Promise.allSettled([read(tree('a')), read(tree('a'))]);
  expect(both.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  expect([...(await read(tree('a'))).keys()]).toEqual(['a.md']);
  expect(tries).toBe(2);
});
