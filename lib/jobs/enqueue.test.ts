import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { findProject, insertProject } from '@/lib/store/projects';
import { testDatabase } from '@/lib/testing/postgres';
import { openRunQueue } from './enqueue';

const { store } = await testDatabase();
const queue = openRunQueue(store);

test('of starts asked for at once, one of a project that is gone fails alone, and each other run has its place', async () => {
  const projectId = await insertProject(store, 'Test', folderOf({ 'a.md': 'a' }), { origin: 'api' });
  const { treeHash } = await findProject(store, projectId);
  const correlationId = brandAs<CorrelationId>(randomUUID());
  const messages = ['one', 'two\u0000', 'gone', '"four"'];
  const runs = messages.map((message) => ({
    id: brandAs<RunId>(randomUUID()),
    projectId: message === 'gone' ? brandAs<ProjectId>(randomUUID()) : projectId,
    treeHash,
    correlationId,
    agent: undefined,
    message,
    model: undefined,
  }));
  const ends = await Promise.allSettled(runs.map((run) => queue.enqueueRun(run)));
  expect(ends.map((end) => end.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);

  const { rows } = await store.pool.query(
    `SELECT r.id, r.message, w.status, w.queue_name FROM "Run" r JOIN dbos.workflow_status w ON w.workflow_uuid = r.id`,
  );
  const stored = runs.flatMap(({ id, message }) =>
    message === 'gone' ? [] : [{ id, message: JSON.stringify(message), status: 'ENQUEUED', queue_name: 'runs' }],
  );
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(rows.toSorted(byId)).toEqual(stored.toSorted(byId));
});
