import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { brandAs, type CorrelationId, type ProjectId, type RunId } from '@/lib/base/ids';
import { openRunQueue } from '@/lib/jobs/enqueue';
import type { Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/projects';
import { findRun, type RunDetail } from '@/lib/store/runs';

/** Starts runs of a project's draft and waits for their end, for tests with a real worker. */
export function queuedRuns(store: Store) {
  const queue = openRunQueue(store);

  async function start(projectId: ProjectId): Promise<RunId> {
    const { treeHash } = await findProject(store, projectId);
    const id = brandAs<RunId>(randomUUID());
    const correlationId = brandAs<CorrelationId>(randomUUID());
    await queue.enqueueRun({
      id,
      projectId,
      treeHash,
      correlationId,
      agent: undefined,
      message: 'Go',
      model: undefined,
    });
    return id;
  }

  async function ended(id: RunId): Promise<RunDetail> {
    await expect
      .poll(async () => (await findRun(store, id)).status, { timeout: 30_000, interval: 20 })
      .toMatch(/^(?:completed|failed)$/);
    return await findRun(store, id);
  }

  return { queue, start, ended, run: async (projectId: ProjectId) => await ended(await start(projectId)) };
}
