import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { brandAs, type TreeHash } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { fakeClock } from '@/lib/testing/fake-clock';
import { openWorkFolders } from './work-folders';

const root = mkdtempSync(path.join(tmpdir(), 'callboard-folders-'));
const worker = `worker-${process.pid}-0a0a0a0a`;
const clock = fakeClock();
const folder = folderOf({ 'a/b.md': 'ten bytes.' });

afterEach(() => rmSync(root, { recursive: true, force: true }));

async function open(options: { maxUnused?: number; maxUnusedBytes?: number } = {}) {
  const wanted = new Set(['one', 'two', 'three'].map(hashOf));
  const left: string[] = [];
  const folders = await openWorkFolders({
    root,
    worker,
    packages: path.resolve('node_modules'),
    clock,
    findWanted: async () => wanted,
    leave: async (where) => void left.push(where),
    ...options,
  });
  return { folders, wanted, left };
}

const hashOf = (name: string) => brandAs<TreeHash>(name.padEnd(64, '0'));
const kept = () => readdirSync(path.join(root, worker)).map((name) => name.replace(/0+-.*/, ''));

test('runs of a tree share a folder, which outlives them for five minutes', async () => {
  const { folders, left } = await open();
  const first = await folders.materialise(hashOf('one'), folder);
  const second = await folders.materialise(hashOf('one'), folder);
  expect(second.path).toBe(first.path);
  expect(readFileSync(path.join(first.path, 'a/b.md'), 'utf8')).toBe('ten bytes.');
  first.release();
  first.release();
  await clock.advance(600_000);
  await folders.sweep();
  expect(kept()).toEqual(['one']);
  second.release();
  await clock.advance(299_999);
  await folders.sweep();
  expect(kept()).toEqual(['one']);
  await clock.advance(1);
  await folders.sweep();
  expect(kept()).toEqual([]);
  expect(left).toEqual([first.path]);
  expect((await folders.materialise(hashOf('one'), folder)).path).not.toBe(first.path);
});

test('the folder of a deleted project goes as soon as no run needs it', async () => {
  const { folders, wanted } = await open();
  const used = await folders.materialise(hashOf('one'), folder);
  (await folders.materialise(hashOf('two'), folder)).release();
  wanted.clear();
  await folders.sweep();
  expect(kept()).toEqual(['one']);
  used.release();
  await folders.sweep();
  expect(kept()).toEqual([]);
});

test.each([{ maxUnused: 2 }, { maxUnusedBytes: 20 }])('beyond %o the oldest unused folders go', async (options) => {
  const { folders } = await open(options);
  for (const name of ['one', 'two', 'three']) {
    (await folders.materialise(hashOf(name), folder)).release();
    await clock.advance(1);
  }
  await folders.sweep();
  expect(kept().sort()).toEqual(['three', 'two']);
});

test('folders of workers that were killed are removed at the next start, also one with our process number', async () => {
  const gone = 4_194_304;
  for (const name of [`worker-${gone}-0b0b0b0b`, `worker-${process.pid}-0c0c0c0c`, `worker-${process.ppid}-0d0d0d0d`]) {
    mkdirSync(path.join(root, name, 'x'), { recursive: true });
  }
  await open();
  expect(readdirSync(root).sort()).toEqual(['node_modules', worker, `worker-${process.ppid}-0d0d0d0d`].sort());
});

test('a folder that cannot be written leaves nothing behind, and is tried again', async () => {
  const { folders } = await open();
  await expect(folders.materialise(hashOf('one'), folderOf({ a: 'a file', 'a/b': 'in it' }))).rejects.toThrow();
  expect(kept()).toEqual([]);
  expect((await folders.materialise(hashOf('one'), folder)).path).toContain(path.join(root, worker));
});
