import type { DLogger } from '@dbos-inc/dbos-sdk';

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

/** DBOS reports what it does at every turn; what matters of it reaches us as a result or an exception. */
export const quietLogger: DLogger = { debug() {}, info() {}, warn() {}, error() {} };
