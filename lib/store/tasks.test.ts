import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type ProjectId, type TaskId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { prepareQueueSchema } from '@/lib/jobs/queue-schema';
import { testDatabase } from '@/lib/testing/postgres';
import { collectTrees } from './collect-trees';
import { findProject, insertProject, removeProject } from './projects';
import { endTask, findTask, insertTask, removeOldTasks, takeTask } from './tasks';
import { readTree } from './trees';

const { url, store } = await testDatabase();

const limits = { files: 100, totalBytes: 1_000_000 };

async function project(): Promise<ProjectId> {
  return await insertProject(store, 'Test', folderOf({ 'a.md': `a ${randomUUID()}` }), { origin: 'api' });
}

async function task(projectId: ProjectId, text?: string): Promise<TaskId> {
  const { treeHash: draftHash } = await findProject(store, projectId);
  const id = brandAs<TaskId>(randomUUID());
  const changes = text === undefined ? [] : [{ path: 'a.md', file: { kind: 'text', text } as const }];
  await insertTask(store, { id, projectId, draftHash, changes, limits, request: { kind: 'probe', server: 'x' } });
  return id;
}

async function makeOlder(id: TaskId, seconds: number): Promise<void> {
  await store.pool.query('UPDATE "Task" SET "createdAt" = "createdAt" - make_interval(secs => $2) WHERE id = $1', [
    id,
    seconds,
  ]);
}

const failed = { ok: false, code: 'x', message: 'No.' } as const;

test('a task is taken once, and its first answer stays', async () => {
  const id = await task(await project(), 'changed');
  expect(await findTask(store, id)).toEqual({ state: 'queued' });
  const taken = await takeTask(store, id);
  expect(taken).toMatchObject({ id, files: { origin: 'api' }, request: '{"kind":"probe","server":"x"}' });
  expect((await readTree(store.prisma, taken?.files?.treeHash ?? '')).get('a.md')).toEqual({
    kind: 'text',
    text: 'changed',
  });
  expect(await findTask(store, id)).toEqual({ state: 'running' });
  expect(await takeTask(store, id)).toBeUndefined();
  await endTask(store, id, failed);
  await endTask(store, id, { ...failed, message: 'Later.' });
  expect(await findTask(store, id)).toEqual({ state: 'ended', answer: JSON.stringify(failed) });
});

test('a task that no worker takes, and one that lost its worker, end with a reason', async () => {
  const projectId = await project();
  const [waiting, lost] = [await task(projectId), await task(projectId)];
  await takeTask(store, lost);
  await makeOlder(waiting, 61);
  await makeOlder(lost, 61);
  expect(await findTask(store, waiting)).toMatchObject({ answer: expect.stringContaining('no_worker') });
  expect(await takeTask(store, waiting)).toBeUndefined();
  expect(await findTask(store, lost)).toEqual({ state: 'running' });
  await makeOlder(lost, 75);
  expect(await findTask(store, lost)).toMatchObject({ answer: expect.stringContaining('worker_lost') });
});

test('a project has at most 20 tasks without an answer', async () => {
  const projectId = await project();
  const ids: TaskId[] = [];
  for (let count = 0; count < 20; count += 1) ids.push(await task(projectId));
  await expect(task(projectId)).rejects.toMatchObject({ code: 'unavailable' });
  await endTask(store, ids[0] ?? brandAs<TaskId>(''), failed);
  await expect(task(projectId)).resolves.toBeDefined();
});

test('the tree of a task is kept as long as the task, and both go with time or with the project', async () => {
  await prepareQueueSchema(url);
  const projectId = await project();
  const id = await task(projectId, `only here ${randomUUID()}`);
  const taken = await takeTask(store, id);
  await collectTrees(store, 0);
  expect((await readTree(store.prisma, taken?.files?.treeHash ?? '')).size).toBe(1);
  await removeOldTasks(store);
  expect(await findTask(store, id)).toEqual({ state: 'running' });
  await makeOlder(id, 601);
  await removeOldTasks(store);
  await expect(findTask(store, id)).rejects.toMatchObject({ code: 'not_found' });
  await collectTrees(store, 0);
  await expect(readTree(store.prisma, taken?.files?.treeHash ?? '')).rejects.toThrow();

  const other = await task(projectId);
  await removeProject(store, projectId);
  await expect(findTask(store, other)).rejects.toMatchObject({ code: 'not_found' });
});
