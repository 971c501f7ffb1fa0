// Ends this process when its main thread blocks: another thread watches a counter that the main thread increments.
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

const beatMs = 250;

/**
 * @param {{process: 'worker' | 'web', seconds: number, startSeconds?: number, databaseUrl?: string}} options the process ends after
 * `seconds` without an increment; 0: off. Its first `startSeconds` do not count. With a database, the freeze is counted for the run that
 * blocked the worker.
 */
export function startWatchdog({ process: name, seconds, startSeconds = 0, databaseUrl }) {
  if (seconds === 0) return;
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const beat = () => {
    // The count is ignored while a debugger is attached, because it may pause the program.
    Atomics.store(cells, 1, inspector.url() === undefined ? 0 : 1);
    Atomics.add(cells, 0, 1);
  };
  setInterval(beat, beatMs).unref();
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    name: 'callboard-watchdog',
    workerData: { cells, name, seconds, startSeconds, databaseUrl },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  thread.on('error', (error) => process.stderr.write(`The watchdog ended: ${error.message}\n`));
}
