import { expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { testDatabase } from '@/lib/testing/postgres';
import { findProject, insertProject, readDraft, removeProject, saveDraft } from './projects';
import { collectTrees } from './trees';

const { store } = await testDatabase();

const change = (path: string, text: string) => ({ path, file: { kind: 'text', text } as const });
const save = (id: ProjectId, baseVersion: number, ...changes: ReturnType<typeof change>[]) =>
  saveDraft(store, id, { baseVersion, changes, maxFiles: 10 });

test('a folder comes back as it was given, whatever its bytes and names', async () => {
  const folder: Folder = new Map([
    ['agent-cards/lead.md', { kind: 'text', text: '\u{feff}---\r\nname: lead\r\n' }],
    ['picture.bin', { kind: 'binary', bytes: new Uint8Array([0, 255, 254, 10, 0]) }],
    ['same.txt', { kind: 'text', text: 'twice' }],
    ['copy/same.txt', { kind: 'text', text: 'twice' }],
    ['empty', { kind: 'text', text: '' }],
    ['__proto__', { kind: 'text', text: 'a name like any other' }],
  ]);
  const id = await insertProject(store, 'Round trip', folder);
  const draft = await readDraft(store, id);
  expect([...draft.folder].sort()).toEqual([...folder].sort());
  expect(draft.row).toMatchObject({ id, name: 'Round trip', version: 1 });
});

test('a save over a stale version is refused and changes nothing', async () => {
  const id = await insertProject(store, 'Conflict', folderOf({ 'a.md': 'one' }));
  expect(await save(id, 1, change('a.md', 'two'))).toBe(2);
  await expect(save(id, 1, change('a.md', 'lost'))).rejects.toMatchObject({ name: 'AppError', code: 'conflict' });
  expect((await readDraft(store, id)).folder).toEqual(folderOf({ 'a.md': 'two' }));
});

test('of two saves at once over the same version one wins', async () => {
  const id = await insertProject(store, 'Race', folderOf({ 'a.md': 'one' }));
  const results = await Promise.allSettled(['x', 'y', 'z'].map((text) => save(id, 1, change('a.md', text))));
  expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect((await readDraft(store, id)).row.version).toBe(2);
});

test('a removed file is gone and the others stay', async () => {
  const id = await insertProject(store, 'Remove', folderOf({ 'a.md': 'a', 'b.md': 'b' }));
  await saveDraft(store, id, { baseVersion: 1, changes: [{ path: 'a.md', file: null }], maxFiles: 10 });
  expect((await readDraft(store, id)).folder).toEqual(folderOf({ 'b.md': 'b' }));
});

test('a draft never holds more files than allowed', async () => {
  const id = await insertProject(store, 'Full', folderOf({ 'a.md': 'a' }));
  const many = Array.from({ length: 10 }, (_, index) => change(`${index}.md`, 'x'));
  await expect(save(id, 1, ...many)).rejects.toMatchObject({ code: 'too_large' });
});

test('no save makes a folder of a file', async () => {
  const id = await insertProject(store, 'Clash', folderOf({ 'a.md': 'a' }));
  await expect(save(id, 1, change('a.md/b', 'x'))).rejects.toMatchObject({ code: 'bad_request' });
});

test('collecting removes what nothing names and nothing else', async () => {
  const kept = await insertProject(store, 'Kept', folderOf({ 'kept.md': 'kept', 'shared.md': 'shared' }));
  const gone = await insertProject(store, 'Gone', folderOf({ 'gone.md': 'gone', 'shared.md': 'shared' }));
  await removeProject(store, gone);
  await collectTrees(store);
  expect((await readDraft(store, kept)).folder).toEqual(folderOf({ 'kept.md': 'kept', 'shared.md': 'shared' }));
  const texts = (await store.prisma.blob.findMany()).map((blob) => Buffer.from(blob.bytes).toString());
  expect(texts).toContain('shared');
  expect(texts).not.toContain('gone');
  await expect(findProject(store, gone)).rejects.toMatchObject({ code: 'not_found' });
});

test('an unknown project is a plain refusal', async () => {
  const missing = brandAs<ProjectId>('nowhere');
  await expect(readDraft(store, missing)).rejects.toMatchObject({ code: 'not_found' });
  await expect(removeProject(store, missing)).rejects.toMatchObject({ code: 'not_found' });
});
