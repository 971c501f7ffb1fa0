import type { PoolClient } from 'pg';
import type { RunId, TaskId } from '@/lib/base/ids';
import { nextTurn, type TurnOf } from '@/lib/store/conversations';
import type { Store } from '@/lib/store/database';
import { isOutage } from '@/lib/store/outage';
import { insertRunsSql, type NewRun, runValueCount, runValues } from '@/lib/store/runs';
import { takeRun } from '@/lib/store/take-run';
import { requestTaskStop } from '@/lib/store/tasks';
import { transaction } from '@/lib/store/transaction';
import { requestStop } from './end-items';
import { endRun } from './end-run';
import {
  applicationName,
  applicationVersion,
  queuedRunChannel,
  queuedTask,
  stopRunChannel,
  taskQueueName,
  taskWorkflowName,
} from './queue';
import { partitionOfRunSql, partitionOfTaskSql } from './queue-shares';
import { queueValues } from './resume-runs';
import { systemClock } from './system-clock';
import { sentTogether } from './together';

/** The queue as the web process uses it. It executes no runs. */
export interface RunQueue {
  /** Stores the run and queues it in one transaction. With `admit`, that may refuse the run by throwing. */
  enqueueRun(run: NewRun, admit?: Admit): Promise<void>;
  /**
   * Stores the run as the next turn of a conversation, in order of the calls. It is queued as soon as the turn before has ended.
   * Throws AppError `not_found` for a conversation that is gone, `conflict` when too many turns wait, and what `admit` throws.
   */
  enqueueTurn(run: NewRun, conversation: TurnOf, admit?: Admit): Promise<void>;
  /** Asks the worker that executes the run to stop it. A run that no worker has started is ended here. */
  cancelRun(runId: RunId): Promise<void>;
  /** Queues a stored task. `confirmedHash` is that of the list that was confirmed for its tree. */
  enqueueTask(taskId: TaskId, confirmedHash: string | undefined): Promise<void>;
  /** Asks the worker of a task to stop it. A task that no worker has taken is ended here. */
  cancelTask(taskId: TaskId): Promise<void>;
}

/** Counts a run against limits, in the transaction that stores it. Throws what the starter is told when it is refused. */
export type Admit = (connection: Pick<PoolClient, 'query'>) => Promise<void>;

/**
 * One statement is used because it needs one transaction and one round trip to the database. The SQL function is DBOS's own
 * client (https://docs.dbos.dev/explanations/system-tables).
 */
const enqueueSql = `
  WITH run AS (${insertRunsSql} RETURNING id, "startedBy", "projectId")
  SELECT pg_notify('${queuedRunChannel}', '${queuedRunChannel}'), dbos.enqueue_workflow(
    workflow_name => $${runValueCount + 1}, queue_name => $${runValueCount + 2}, app_version => $${runValueCount + 3},
    application_name => $${runValueCount + 4}, workflow_id => run.id, positional_args => ARRAY[to_json(run.id)],
    queue_partition_key => ${partitionOfRunSql('run')}
  ) FROM run`;

const enqueueTaskSql = `
  WITH task AS (UPDATE "Task" SET "confirmedHash" = $2 WHERE id = $1 RETURNING id, "projectId")
  SELECT pg_notify('${queuedRunChannel}', '${queuedTask}'), dbos.enqueue_workflow(
    workflow_name => $3, queue_name => $4, app_version => $5, application_name => $6,
    workflow_id => task.id, positional_args => ARRAY[to_json(task.id)], queue_partition_key => ${partitionOfTaskSql('task')}
  ) FROM task`;

/** One statement queues at most this much. */
const limits = {
  most: 50,
  mostWeight: 1_000_000,
  weightOf: ({ message, attachments = [] }: NewRun) =>
    attachments.reduce((sum, { text, data }) => sum + (text ?? data ?? '').length, message.length),
  isUncertain: isOutage,
};

async function enqueue({ pool }: { readonly pool: Pick<PoolClient, 'query'> }, runs: readonly NewRun[]): Promise<void> {
  await pool.query({ name: 'enqueue-runs', text: enqueueSql, values: [...runValues(runs), ...queueValues] });
}

async function enqueueAdmitted(store: Store, run: NewRun, admit: Admit): Promise<void> {
  await transaction(store, async (connection) => {
    await admit(connection);
    await enqueue({ pool: connection }, [run]);
  });
}

/** Stores the run as the next turn of its conversation. It is queued now, or it waits for the turn before. */
async function enqueueTurn(store: Store, run: NewRun, conversation: TurnOf, admit: Admit | undefined): Promise<void> {
  await transaction(store, async (connection) => {
    await admit?.(connection);
    const turn = await nextTurn(connection, run.projectId, conversation);
    const queued = { ...run, turn };
    if (turn.isInLine) await connection.query(insertRunsSql, [...runValues([queued])]);
    else await enqueue({ pool: connection }, [queued]);
  });
}

/** Starts that are counted wait for each other in the database. Here they wait without holding its connections. */
function oneAfterAnother(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Opens the queue. Runs that are started at the same time share statements and use one connection. */
export function openRunQueue(store: Store): RunQueue {
  const together = sentTogether((runs: readonly NewRun[]) => enqueue(store, runs), limits);
  const admitted = oneAfterAnother();
  return {
    enqueueRun: (run, admit) =>
      admit === undefined ? together(run) : admitted(() => enqueueAdmitted(store, run, admit)),
    enqueueTurn(run, conversation, admit) {
      const work = () => enqueueTurn(store, run, conversation, admit);
      return admit === undefined ? work() : admitted(work);
    },
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
