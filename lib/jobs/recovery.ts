import { DBOS } from '@dbos-inc/dbos-sdk';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import type { Liveness } from './liveness';
import { queuedRunChannel, queueName } from './queue';

/**
 * The advisory lock that is held while runs of dead workers are queued again, so that no run is taken from a worker that
 * has just started it.
 */
const recoveryLock = 7_203_016;

/** Queues the runs of dead workers again, for any living worker. Returns the names of the dead workers. */
export async function recoverDeadWorkers(
  store: Store,
  liveness: Pick<Liveness, 'findDead'>,
): Promise<readonly string[]> {
  const begun = await DBOS.listWorkflows({ status: 'PENDING', queueName, loadInput: false, loadOutput: false });
  const workers = new Set(begun.flatMap(({ executorId }) => executorId ?? []));
  const dead = await liveness.findDead([...workers]);
  if (dead.length > 0) await giveBack(store, [...dead]);
  return dead;
}

/** Queues the runs again. Does nothing while another worker does the same. */
async function giveBack(store: Store, executorId: string[]): Promise<void> {
  const connection = await store.pool.connect();
  let broken: Error | undefined;
  try {
    await connection.query('BEGIN');
    const { rows } = await connection.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [
      recoveryLock,
    ]);
    if (rows[0]?.got !== true) return;
    const left = await DBOS.listWorkflows({
      status: 'PENDING',
      queueName,
      executorId,
      loadInput: false,
      loadOutput: false,
    });
    if (left.length === 0) return;
    await DBOS.resumeWorkflows(
      left.map(({ workflowID }) => workflowID),
      { queueName },
    );
    await connection.query('SELECT pg_notify($1, $1)', [queuedRunChannel]);
  } finally {
    await connection.query('COMMIT').catch((failure: Error) => {
      broken = failure;
    });
    connection.release(broken);
  }
}

/**
 * Finds runs that have not ended although their workflow has ended or is missing. This should not happen, but if it does,
 * the run must not seem active for ever. The query joins DBOS's table, because asking DBOS for each waiting run would read
 * thousands of rows. recovery.test.ts fails when that table changes.
 */
export async function findStrandedRuns(store: Store): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT r.id FROM "Run" r LEFT JOIN dbos.workflow_status w ON w.workflow_uuid = COALESCE(r."workflowId", r.id)
     WHERE r.status IN ('queued', 'running') AND NOT (r."inLine" AND r.status = 'queued') AND r."createdAt" < now() - interval '30 s'
       AND (w.status IS NULL OR w.status NOT IN ('ENQUEUED', 'PENDING', 'DELAYED'))
     LIMIT 100`,
  );
  return rows.map((row) => row.id);
}
