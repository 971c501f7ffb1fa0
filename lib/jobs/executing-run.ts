import { DBOS } from '@dbos-inc/dbos-sdk';

/**
 * Lets the watchdog's thread ask whose work the main thread does at this moment (bin/watchdog-thread.mjs). DBOS keeps the id
 * of the workflow, which is the run's, beside every asynchronous call of it; nothing is counted or stored for this.
 */
export function tellExecutingRun(worker: string): void {
  const tell = () => ({ worker, run: DBOS.workflowID });
  Object.defineProperty(globalThis, Symbol.for('callboard.executing'), { value: tell, configurable: true });
}
