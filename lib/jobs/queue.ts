/** The web process, which queues runs, and the workers, which take them, must share these names. */
export const queueName = 'runs';
export const workflowName = 'run';
/** Tasks of editors have a queue of their own, so that they do not wait behind runs. */
export const taskQueueName = 'tasks';
export const taskWorkflowName = 'task';
/**
 * DBOS gives a workflow only to workers of the same version. The state of a run is its event log, which newer workers can
 * read, so this number changes only when old runs can no longer be continued.
 */
export const applicationVersion = '1';
export const applicationName = 'callboard';

/** The Postgres channel for ids of runs and tasks that a user asked to stop. */
export const stopRunChannel = 'stop_run';

/** The Postgres channel for newly queued runs and tasks. The payload is the same name, or `queuedTask` for a task. */
export const queuedRunChannel = 'run_queued';
export const queuedTask = 'task_queued';

/** A workflow that ended cannot be queued again, so a run that was suspended goes on in a workflow named `<run>/<stint>`. */
export function runOfWorkflow(workflowId: string): string {
  return workflowId.split('/')[0] ?? workflowId;
}
