import { DBOS } from '@dbos-inc/dbos-sdk';
import { runOfWorkflow } from './queue';

/**
 * Lets the watchdog's thread (bin/watchdog-thread.mjs) ask which run the main thread executes now. DBOS keeps the workflow id,
 * which begins with the run id, in the asynchronous context of every call, so nothing else has to be stored.
 */
export function tellExecutingRun(worker: string): void {
  const tell = () => ({ worker, run: DBOS.workflowID && runOfWorkflow(DBOS.workflowID) });
  Object.defineProperty(globalThis, Symbol.for('callboard.executing'), { value: tell, configurable: true });
}
