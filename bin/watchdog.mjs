// Ends this process when its main thread blocks: a thread of its own watches a counter that the main thread moves.
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

const beatMs = 250;

/**
 * @param {{process: 'worker' | 'web', seconds: number, databaseUrl?: string}} options `seconds` without a beat end the process;
 * 0: nobody watches. With a database, the run that blocked a worker is counted there.
 */
export function startWatchdog({ process: name, seconds, databaseUrl }) {
  if (seconds === 0) return;
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const beat = () => {
    // A debugger that stops the program is no fault.
    Atomics.store(cells, 1, inspector.url() === undefined ? 0 : 1);
    Atomics.add(cells, 0, 1);
  };
  setInterval(beat, beatMs).unref();
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    name: 'callboard-watchdog',
    workerData: { cells, name, seconds, databaseUrl },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  thread.on('error', (error) => process.stderr.write(`The watchdog ended: ${error.message}\n`));
}
