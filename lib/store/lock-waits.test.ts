import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { localActor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type RunId, type TaskId } from '@/lib/base/ids';
import { folderOf } from '@/lib/cards/files';
import { testDatabase } from '@/lib/testing/postgres';
import { keepServerNews } from './known-servers';
import { keepUpload } from './own-blobs';
import { insertPin } from './pins';
import { findProject, insertProject, updateProjectName } from './projects';
import { insertPlainTask, insertTask } from './tasks';

const { store } = await testDatabase();
const limits = { files: 100, totalBytes: 1_000_000 };

afterEach(() => void vi.useRealTimers());

const writes: readonly [string, (projectId: ProjectId, treeHash: string) => Promise<unknown>][] = [
  [
    'a pin',
    (projectId) =>
      insertPin(store, {
        id: randomUUID(),
        projectId,
        agentName: 'kid',
        tool: 'twice',
        arguments: undefined,
        result: { content: [], isError: false },
        runId: brandAs<RunId>('r'),
        seq: 1,
      }),
  ],
  [
    'a task with files',
    (projectId, treeHash) =>
      insertTask(store, {
        id: brandAs<TaskId>(randomUUID()),
        projectId,
        draftHash: brandAs(treeHash),
        changes: [{ path: 'b.md', file: { kind: 'text', text: 'b' } }],
        limits,
        request: { kind: 'probe', server: 'x' },
      }),
  ],
  [
    'a task without files',
    (projectId) =>
      insertPlainTask(store, {
        id: brandAs<TaskId>(randomUUID()),
        projectId,
        request: { kind: 'key', name: 'OPENAI_API_KEY' },
      }),
  ],
  ['news of servers', (projectId) => keepServerNews(store, projectId, [])],
  [
    'an upload',
    (projectId) =>
      keepUpload(store, projectId, new Uint8Array([1]), { totalBytes: 1_000_000, waitingBytes: 1_000_000 }),
  ],
  ['a new name', (projectId) => updateProjectName(store, projectId, 'Quiet', localActor('web'))],
];

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await store.pool.query<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

test.each(writes)('%s waits six seconds for its turn in a busy project', async (_, write) => {
  const projectId = await insertProject(store, 'Busy', folderOf({ 'a.md': 'a' }));
  const { treeHash } = await findProject(store, projectId);
  const holder = await store.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM "Project" WHERE id = $1 FOR UPDATE', [projectId]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const written = write(projectId, treeHash).then(
      () => 'stored',
      (error: unknown) => error,
    );
    await expect.poll(waiting).toBe(1);
    vi.advanceTimersByTime(6_000);
    await holder.query('COMMIT');
    expect(await written).toBe('stored');
  } finally {
    holder.release(true);
  }
});
