import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { collectTrees } from './collect-trees';
import { keepUpload, readOwnBlob } from './own-blobs';
import { insertProject } from './projects';

const { store } = await testDatabase();
const limits = { totalBytes: 1_000, waitingBytes: 250 };
const bytesOf = (value: number) => new Uint8Array(100).fill(value);

test('uploads wait for a save up to a limit for each project', async () => {
  const project = await insertProject(store, 'Poems', folderOf({ 'a.md': 'a' }));
  const other = await insertProject(store, 'Songs', folderOf({ 'a.md': 'a' }));
  await keepUpload(store, project, bytesOf(1), limits);
  await keepUpload(store, project, bytesOf(2), limits);
  await expect(keepUpload(store, project, bytesOf(3), limits)).rejects.toMatchObject({ code: 'too_large' });
  await keepUpload(store, other, bytesOf(3), limits);
});

test('what a draft has does not wait any more', async () => {
  const files = new Map([1, 2, 3].map((value) => [`${value}.bin`, { kind: 'binary', bytes: bytesOf(value) }] as const));
  const project = await insertProject(store, 'Saved', files);
  for (const value of [1, 2, 3, 4, 5]) await keepUpload(store, project, bytesOf(value), limits);
  await expect(keepUpload(store, project, bytesOf(6), limits)).rejects.toMatchObject({ code: 'too_large' });
});

test('an upload that no save names is there for 30 days', async () => {
  const project = await insertProject(store, 'Old', folderOf({ 'a.md': 'a' }));
  const hash = await keepUpload(store, project, bytesOf(9), limits);
  const later = async (days: number) => {
    await store.pool.query(`UPDATE "KeptTree" SET "keptUntil" = "keptUntil" - make_interval(days => $1)`, [days]);
    await collectTrees(store, 0);
  };
  await later(29);
  expect(await readOwnBlob(store, project, hash)).toEqual(bytesOf(9));
  await later(1);
  await expect(readOwnBlob(store, project, hash)).rejects.toMatchObject({ code: 'not_found' });
  expect(await store.prisma.blob.findUnique({ where: { hash } })).toBeNull();
});
