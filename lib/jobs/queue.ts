/** What the web, which enqueues, and the workers, which dequeue, must agree on. */
export const queueName = 'runs';
export const workflowName = 'run';
/**
 * DBOS hands a workflow only to workers of its version. A run's truth is its event log, which newer workers can read, so the
 * number changes only when an old run could no longer be continued.
 */
export const applicationVersion = '1';
export const applicationName = 'callboard';

/** Postgres channel that carries the id of a run somebody wants stopped. */
export const stopRunChannel = 'stop_run';

/** Postgres channel that says that a run has been queued, by a payload of the same name. */
export const queuedRunChannel = 'run_queued';
