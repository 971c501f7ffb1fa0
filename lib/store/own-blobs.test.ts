import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { keepUpload } from './own-blobs';
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
