import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import type { Liveness } from './liveness';

/** Puts the runs of dead workers back into the queue, where any living worker takes them. Returns whose they were. */
export async function recoverDeadWorkers(store: Store, liveness: Liveness): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ executor_id: string }>(
    `SELECT DISTINCT executor_id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id IS NOT NULL`,
  );
  const dead = await liveness.findDead(rows.map((row) => row.executor_id));
  if (dead.length > 0) await DBOSExecutor.globalInstance?.recoverPendingWorkflows([...dead]);
  return dead;
}

/**
 * Runs that have not ended although their workflow has, or was lost. It should not happen; when it does, a run must not
 * look as if somebody worked on it for ever.
 */
export async function findStrandedRuns(store: Store): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT r.id FROM "Run" r LEFT JOIN dbos.workflow_status w ON w.workflow_uuid = r.id
     WHERE r.status IN ('queued', 'running') AND r."createdAt" < now() - interval '30 s'
       AND (w.status IS NULL OR w.status NOT IN ('ENQUEUED', 'PENDING', 'DELAYED'))
     LIMIT 100`,
  );
  return rows.map((row) => row.id);
}
