import type { Store } from '@/lib/store/database';
import { queueName, taskQueueName } from './queue';

/*
 * Nobody waits behind everything that another has queued: each workflow is in a partition of its queue (DBOS: "partitioned queues"). A
 * worker looks at the partitions in random order, takes the oldest of each, and executes only so many of one that some slots stay for
 * the others.
 *
 *   ann      ▣▣▣▣▣▣▣▣ ▢▢▢▢▢▢…   8 of 10 slots, the rest waits
 *   ben      ▣                  begins at once
 *
 * The partition of a run is the person who starts it. Where that is nobody in particular, because there are no accounts or a trigger
 * starts it, it is the project.
 */

/** The partition of a run, from a row that has "startedBy" and "projectId". */
export function partitionOfRunSql(row: string): string {
  return `CASE WHEN ${row}."startedBy" IS NULL OR ${row}."startedBy" = 'local' OR ${row}."startedBy" LIKE 'trigger:%'
    THEN ${row}."projectId" ELSE ${row}."startedBy" END`;
}

/** The partition of a task, from a row that has "projectId". */
export function partitionOfTaskSql(row: string): string {
  return `COALESCE(${row}."projectId", 'installation')`;
}

/** Returns the limits of a queue of which one partition may have `each` slots of a worker. The others share further ones. */
export function sharesOf(each: number): {
  readonly workerConcurrency: number;
  readonly partitionWorkerConcurrency: number;
} {
  return { workerConcurrency: each + Math.ceil(each / 5), partitionWorkerConcurrency: each };
}

/**
 * Puts what earlier versions have queued into partitions, because a partitioned queue never takes the rest. The statement names DBOS's
 * table; queue-shares.test.ts fails when that table changes.
 */
export async function partitionQueued(store: Store): Promise<void> {
  await store.pool.query(
    `UPDATE dbos.workflow_status w SET queue_partition_key = COALESCE(
       (SELECT ${partitionOfRunSql('r')} FROM "Run" r WHERE r.id = split_part(w.workflow_uuid, '/', 1)),
       (SELECT ${partitionOfTaskSql('t')} FROM "Task" t WHERE t.id = w.workflow_uuid), 'gone')
     WHERE w.queue_name = ANY($1) AND w.status IN ('ENQUEUED', 'PENDING') AND w.queue_partition_key IS NULL`,
    [[queueName, taskQueueName]],
  );
}
