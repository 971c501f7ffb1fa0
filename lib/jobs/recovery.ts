import { DBOS } from '@dbos-inc/dbos-sdk';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import type { Liveness } from './liveness';
import { queuedRunChannel, queueName } from './queue';

/** Held while runs of the dead go back into the queue: a run that another worker has taken since is not taken from it. */
const recoveryLock = 7_203_016;

/** Puts the runs of dead workers back into the queue, where any living worker takes them. Returns whose they were. */
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

/** Does nothing while another worker does it. */
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
 * Runs that have not ended although their workflow has, or was lost. It should not happen; when it does, a run must not
 * look as if somebody worked on it for ever. DBOS's table is read beside ours, since to ask DBOS for each waiting run would
 * bring thousands of rows here; recovery.test.ts fails when the table changes.
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
