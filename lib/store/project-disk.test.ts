import { expect, it } from 'vitest';
import { localActor } from '@/lib/base/actor';
import { brandAs, type ProjectId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { storedRun } from '@/lib/testing/stored-run';
import { keepUpload } from './own-blobs';
import { countDisk, listLargestProjects, refuseFullDisk } from './project-disk';
import { findProject, insertProject, removeProject, saveDraft } from './projects';

const { store } = await testDatabase();
const limits = { files: 100, totalBytes: 1e9, waitingBytes: 1e9 };

const project = (files: Record<string, string>): Promise<ProjectId> =>
  insertProject(store, 'Poems', folderOf(files), { origin: 'api' });

async function sizeOf(id: ProjectId): Promise<number> {
  await countDisk(store);
  return (await listLargestProjects(store.pool, [id]))[0]?.bytes ?? 0;
}

it('counts the files of drafts, each content once, and what was removed and can be restored', async () => {
  const id = await project({ 'a.md': 'x'.repeat(10_000), 'b.md': 'x'.repeat(10_000) });
  const first = await sizeOf(id);
  expect(Math.floor(first / 1000)).toBe(10);
  const save = (changes: Parameters<typeof saveDraft>[2]['changes'], baseVersion: number) =>
    saveDraft(store, id, { baseVersion, changes, limits });
  await save([{ path: 'c.md', file: { kind: 'text', text: 'y'.repeat(20_000) } }], 1);
  expect(Math.floor((await sizeOf(id)) / 1000)).toBe(30);
  await save([{ path: 'c.md', file: null }], 2);
  expect(Math.floor((await sizeOf(id)) / 1000)).toBe(30);
  await keepUpload(store, id, Buffer.alloc(50_000, 1), limits);
  expect(Math.floor((await sizeOf(id)) / 1000)).toBe(80);
});

it('counts events and attachments of runs, what agents keep, and the files that only a run refers to', async () => {
  const runId = await storedRun(store, folderOf({ 'a.md': 'a'.repeat(5_000) }));
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const id = brandAs<ProjectId>(projectId);
  const before = await sizeOf(id);
  await store.prisma.run.update({ where: { id: runId }, data: { bytes: 7_000, attachments: 'x'.repeat(2_000) } });
  await store.pool.query(
    `INSERT INTO "Artifact" ("projectId", name, version, writer, "mimeType", encoding, bytes, content)
     VALUES ($1, 'a.txt', 1, 'w', 'text/plain', 'text', 500, 'x')`,
    [id],
  );
  expect((await sizeOf(id)) - before).toBe(9_500);
  const { version } = await findProject(store, id);
  const changes = [{ path: 'a.md', file: { kind: 'text', text: 'b' } as const }];
  await saveDraft(store, id, { baseVersion: version, changes, limits });
  expect(await sizeOf(id)).toBeGreaterThan(before + 9_500);
});

it('a full project is refused, and what was deleted makes room at once', async () => {
  const runId = await storedRun(store);
  const { projectId } = await store.prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const id = brandAs<ProjectId>(projectId);
  await store.prisma.run.update({ where: { id: runId }, data: { bytes: 1_500_000 } });
  await refuseFullDisk(store, id, 1_000_000);
  await countDisk(store);
  const words = 'This project holds 1.5 MB and may hold 1 MB, so nothing more is stored in it. Delete runs';
  await expect(refuseFullDisk(store, id, 1_000_000)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining(words),
  });
  await refuseFullDisk(store, id, null);
  await refuseFullDisk(store, id, 2_000_000);
  await store.prisma.run.delete({ where: { id: runId } });
  await store.pool.query(`UPDATE "ProjectDisk" SET "countedAt" = now() - interval '6 seconds'`);
  await refuseFullDisk(store, id, 1_000_000);
});

it('the largest projects are listed first, to whom they belong, and deleted ones are forgotten', async () => {
  const [small, large] = [await project({ 'a.md': 'a' }), await project({ 'a.md': 'b'.repeat(90_000) })];
  await countDisk(store);
  const ids = async () => (await listLargestProjects(store.pool, [small, large])).map(({ id }) => id);
  expect(await ids()).toEqual([large, small]);
  expect((await listLargestProjects(store.pool, 'all')).length).toBeGreaterThan(2);
  await removeProject(store, large, localActor('web'));
  await countDisk(store);
  expect(await ids()).toEqual([small]);
  expect(await store.prisma.projectDisk.count({ where: { projectId: large } })).toBe(0);
});
