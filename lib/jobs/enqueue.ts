import type { RunId, TaskId } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { isOutage } from '@/lib/store/outage';
import { insertRunsSql, type NewRun, runValues } from '@/lib/store/runs';
import { takeRun } from '@/lib/store/take-run';
import { requestTaskStop } from '@/lib/store/tasks';
import { requestStop } from './end-items';
import { endRun } from './end-run';
import {
  applicationName,
  applicationVersion,
  queuedRunChannel,
  queuedTask,
  queueName,
  stopRunChannel,
  taskQueueName,
  taskWorkflowName,
  workflowName,
} from './queue';
import { systemClock } from './system-clock';
import { sentTogether } from './together';

/** The queue as the web process uses it. It executes no runs. */
export interface RunQueue {
  /** Stores the run and queues it in one transaction. */
  enqueueRun(run: NewRun): Promise<void>;
  /** Asks the worker that executes the run to stop it. A run that no worker has started is ended here. */
  cancelRun(runId: RunId): Promise<void>;
  /** Queues a stored task. `confirmedHash` is that of the list that was confirmed for its tree. */
  enqueueTask(taskId: TaskId, confirmedHash: string | undefined): Promise<void>;
  /** Asks the worker of a task to stop it. A task that no worker has taken is ended here. */
  cancelTask(taskId: TaskId): Promise<void>;
}

/**
 * One statement is used because it needs one transaction and one round trip to the database. The SQL function is DBOS's own
 * client (https://docs.dbos.dev/explanations/system-tables).
 */
const enqueueSql = `
  WITH run AS (${insertRunsSql} RETURNING id)
  SELECT pg_notify('${queuedRunChannel}', '${queuedRunChannel}'), dbos.enqueue_workflow(
    workflow_name => $11, queue_name => $12, app_version => $13, application_name => $14,
    workflow_id => run.id, positional_args => ARRAY[to_json(run.id)]
  ) FROM run`;

const enqueueTaskSql = `
  WITH task AS (UPDATE "Task" SET "confirmedHash" = $2 WHERE id = $1 RETURNING id)
  SELECT pg_notify('${queuedRunChannel}', '${queuedTask}'), dbos.enqueue_workflow(
    workflow_name => $3, queue_name => $4, app_version => $5, application_name => $6,
    workflow_id => task.id, positional_args => ARRAY[to_json(task.id)]
  ) FROM task`;

/** One statement queues at most this much. */
const limits = {
  most: 50,
  mostWeight: 1_000_000,
  weightOf: (run: NewRun) => run.message.length,
  isUncertain: isOutage,
};

async function enqueue(store: Store, runs: readonly NewRun[]): Promise<void> {
  const values = [...runValues(runs), workflowName, queueName, applicationVersion, applicationName];
  await store.pool.query({ name: 'enqueue-runs', text: enqueueSql, values });
}

/** Opens the queue. Runs that are started at the same time share statements and use one connection. */
export function openRunQueue(store: Store): RunQueue {
  return {
    enqueueRun: sentTogether((runs) => enqueue(store, runs), limits),
    async cancelRun(runId) {
      const taken = await takeRun(store, runId, 'web', { only: 'new' });
      if (taken === undefined) return await requestStop(store, runId);
      const error = { code: 'cancelled', message: 'The run was stopped before it began.' };
      await endRun(store, systemClock, taken, { status: 'cancelled', error });
    },
    async enqueueTask(taskId, confirmedHash) {
      await store.pool.query({
        name: 'enqueue-task',
        text: enqueueTaskSql,
        values: [taskId, confirmedHash ?? null, taskWorkflowName, taskQueueName, applicationVersion, applicationName],
      });
    },
    async cancelTask(taskId) {
      if (await requestTaskStop(store, taskId)) {
        await store.pool.query('SELECT pg_notify($1, $2)', [stopRunChannel, taskId]);
      }
    },
  };
}
