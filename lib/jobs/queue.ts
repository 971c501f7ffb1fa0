/** The web process, which queues runs, and the workers, which take them, must share these names. */
export const queueName = 'runs';
export const workflowName = 'run';
/**
 * DBOS gives a workflow only to workers of the same version. The state of a run is its event log, which newer workers can
 * read, so this number changes only when old runs can no longer be continued.
 */
export const applicationVersion = '1';
export const applicationName = 'callboard';

/** The Postgres channel for ids of runs that a user asked to stop. */
export const stopRunChannel = 'stop_run';

/** The Postgres channel for newly queued runs. The payload is the same name. */
export const queuedRunChannel = 'run_queued';
