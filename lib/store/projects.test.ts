import { expect, test } from 'vitest';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { testDatabase } from '@/lib/testing/postgres';
import { collectTrees } from './collect-trees';
import { findProject, insertProject, readDraft, removeProject, saveDraft } from './projects';

const { store } = await testDatabase();

const change = (path: string, text: string) => ({ path, file: { kind: 'text', text } as const });
const save = (id: ProjectId, baseVersion: number, ...changes: ReturnType<typeof change>[]) =>
  saveDraft(store, id, { baseVersion, changes, limits: { files: 10, totalBytes: 1_000 } });

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
  await saveDraft(store, id, {
    baseVersion: 1,
    changes: [{ path: 'a.md', file: null }],
    limits: { files: 10, totalBytes: 1_000 },
  });
  expect((await readDraft(store, id)).folder).toEqual(folderOf({ 'b.md': 'b' }));
});

test('a draft never holds more files than allowed', async () => {
  const id = await insertProject(store, 'Full', folderOf({ 'a.md': 'a' }));
  const many = Array.from({ length: 10 }, (_, index) => change(`${index}.md`, 'x'));
  await expect(save(id, 1, ...many)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('at most 10 files, and with this save it would hold 11'),
  });
});

test('the files of a draft are never larger together than allowed', async () => {
  const id = await insertProject(store, 'Large', folderOf({ 'a.md': 'x'.repeat(600), 'copy.md': 'x'.repeat(300) }));
  await expect(save(id, 1, change('b.md', 'y'.repeat(101)))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /at most .* MB together, .* Nothing was saved; remove or shorten files, then save again/,
    ),
  });
  // The same content twice counts twice: that is how much a run gets.
  await expect(save(id, 1, change('b.md', 'x'.repeat(600)))).rejects.toMatchObject({ code: 'too_large' });
  expect((await readDraft(store, id)).row.version).toBe(1);
  expect(await save(id, 1, change('b.md', 'y'.repeat(100)))).toBe(2);
});

test('a project that is beyond the limits may shrink', async () => {
  const files = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`${index}.md`, 'x'.repeat(100)]));
  const id = await insertProject(store, 'Old', folderOf(files));
  await expect(save(id, 1, change('0.md', 'x'.repeat(101)))).rejects.toMatchObject({ code: 'too_large' });
  expect(await save(id, 1, change('0.md', 'x'))).toBe(2);
});

test('no save makes a folder of a file', async () => {
  const id = await insertProject(store, 'Clash', folderOf({ 'a.md': 'a' }));
  await expect(save(id, 1, change('a.md/b', 'x'))).rejects.toMatchObject({ code: 'bad_request' });
});

test('collecting removes what nothing names and nothing else', async () => {
  const kept = await insertProject(store, 'Kept', folderOf({ 'kept.md': 'kept', 'shared.md': 'shared' }));
  const gone = await insertProject(store, 'Gone', folderOf({ 'gone.md': 'gone', 'shared.md': 'shared' }));
  await removeProject(store, gone);
  await collectTrees(store, 0);
  expect((await readDraft(store, kept)).folder).toEqual(folderOf({ 'kept.md': 'kept', 'shared.md': 'shared' }));
  const texts = (await store.prisma.blob.findMany()).map((blob) => Buffer.from(blob.bytes).toString());
  expect(texts).toContain('shared');
  expect(texts).not.toContain('gone');
  await expect(findProject(store, gone)).rejects.toMatchObject({ code: 'not_found' });
});

test('a project is deleted after a save that is under way, and neither fails', async () => {
  const id = await insertProject(store, 'Deleted meanwhile', folderOf({ 'a.md': 'a' }));
  let deleting: Promise<void> | undefined;
  await store.prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM "Draft" WHERE "projectId" = ${id} FOR UPDATE`;
    deleting = removeProject(store, id);
    await expect
      .poll(() => store.prisma.$queryRaw`SELECT 1 AS waits FROM pg_locks WHERE NOT granted`)
      .toEqual([{ waits: 1 }]);
    await db.project.update({ where: { id }, data: { updatedAt: new Date() } });
  });
  await deleting;
  await expect(findProject(store, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('an unknown project is a plain refusal', async () => {
  const missing = brandAs<ProjectId>('nowhere');
  await expect(readDraft(store, missing)).rejects.toMatchObject({ code: 'not_found' });
  await expect(removeProject(store, missing)).rejects.toMatchObject({ code: 'not_found' });
});
