import { DBOSClient } from '@dbos-inc/dbos-sdk';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { insertRun, type NewRun } from '@/lib/store/runs';
import { takeRun } from '@/lib/store/take-run';
import { endRun } from './end-run';
import { applicationName, applicationVersion, queueName, quietLogger, stopRunChannel, workflowName } from './queue';
import { systemClock } from './system-clock';

/** The web's side of the queue. It never executes anything. */
export interface RunQueue {
  /** The run and its place in the queue become visible together, or not at all. */
  enqueueRun(run: NewRun): Promise<void>;
  /** Asks whoever executes the run to stop it; a run nobody has begun is ended here. */
  cancelRun(runId: RunId): Promise<void>;
  close(): Promise<void>;
}

export async function openRunQueue(store: Store): Promise<RunQueue> {
  const client = await DBOSClient.create({
    systemDatabaseUrl: store.url,
    systemDatabasePool: store.pool,
    applicationName,
    logger: quietLogger,
  });
  return {
    async enqueueRun(run) {
      const connection = await store.pool.connect();
      let broken: Error | undefined;
      try {
        await connection.query('BEGIN');
        await insertRun(connection, run);
        const options = { queueName, workflowName, workflowID: run.id, appVersion: applicationVersion };
        await client.enqueueInTransaction(connection, options, run.id);
        await connection.query('COMMIT');
      } catch (error) {
        await connection.query('ROLLBACK').catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        connection.release(broken);
      }
    },
    async cancelRun(runId) {
      const taken = await takeRun(store, runId, 'web', 'begun');
      if (taken !== undefined) {
        const error = { code: 'cancelled', message: 'The run was stopped before it began.' };
        await endRun(store, systemClock, taken, { status: 'cancelled', error });
        return;
      }
      await store.pool.query(
        `WITH asked AS (
           UPDATE "Run" SET "cancelRequestedAt" = COALESCE("cancelRequestedAt", now())
           WHERE id = $1 AND status = 'running' RETURNING id
         )
         SELECT pg_notify('${stopRunChannel}', id) FROM asked`,
        [runId],
      );
    },
    async close() {
      await client.destroy();
    },
  };
}
