import type { PoolClient } from 'pg';
import type { RunId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { applicationName, applicationVersion, queuedRunChannel, queueName, workflowName } from './queue';
import { partitionOfRunSql } from './queue-shares';

/**
 * Sets the columns of a suspended run that goes back into the queue. A workflow that has ended cannot be queued again, so each
 * stint has one of its own.
 */
export const nextStint = `status = 'queued', stint = stint + 1, "workflowId" = id || '/' || (stint + 1)`;

/** Queues the workflows of the rows of `resumed`, which has "id" and "workflowId", with the parameters `from` to `from + 3`. */
export function queueResumedSql(resumed: string, from: number): string {
  return `SELECT run.id, pg_notify('${queuedRunChannel}', '${queuedRunChannel}'), dbos.enqueue_workflow(
    workflow_name => $${from}, queue_name => $${from + 1}, app_version => $${from + 2}, application_name => $${from + 3},
    workflow_id => ${resumed}."workflowId", positional_args => ARRAY[to_json(run.id)],
    queue_partition_key => ${partitionOfRunSql('run')}
  ) FROM ${resumed} JOIN "Run" run ON run.id = ${resumed}.id`;
}

export const queueValues = [workflowName, queueName, applicationVersion, applicationName] as const;

/**
 * Puts those of the runs that are suspended back into the queue, in the transaction of the connection. Returns them. Of several
 * callers only one finds a run suspended, so each suspension has one next stint.
 */
export async function resumeRuns(
  connection: Pick<PoolClient, 'query'>,
  runs: readonly RunId[],
): Promise<readonly RunId[]> {
  const { rows } = await connection.query<{ id: RunId }>(
    `WITH resumed AS (
       UPDATE "Run" SET ${nextStint} WHERE id = ANY($1) AND status = 'suspended' RETURNING id, "workflowId"
     ) ${queueResumedSql('resumed', 2)}`,
    [runs, ...queueValues],
  );
  return rows.map(({ id }) => id);
}

/**
 * Resumes suspended runs with an item that has ended without the run knowing: it ended while the run was being suspended. Returns
 * the runs.
 */
export async function resumeAnswered(store: Store): Promise<readonly RunId[]> {
  const { rows } = await store.pool.query<{ id: RunId }>(
    `SELECT DISTINCT r.id FROM "PendingItem" item JOIN "Run" r ON r.id = item."runId"
     WHERE item.status <> 'open' AND NOT item.recorded AND r.status = 'suspended' LIMIT 100`,
  );
  return rows.length === 0
    ? []
    : await resumeRuns(
        store.pool,
        rows.map(({ id }) => id),
      );
}
