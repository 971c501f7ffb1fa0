// `NODE_OPTIONS=--import=…/break-process.mjs` loads this into a process that a test breaks from within:
//   JSON text {"break":"freeze"}  blocks the main thread where it is read
//   JSON text {"break":"crash"}   ends the process where it is read
//   SIGUSR2                       sets the clock back by an hour, and says so on the IPC channel
import { isMainThread } from 'node:worker_threads';

const hourMs = 3_600_000;

if (isMainThread) {
  const parse = JSON.parse;
  const never = new Int32Array(new SharedArrayBuffer(4));
  JSON.parse = (text, reviver) => {
    // In short waits, which cost no processor time: between them the watchdog can ask where the thread is.
    if (text === '{"break":"freeze"}') for (;;) Atomics.wait(never, 0, 0, 20);
    if (text === '{"break":"crash"}') process.kill(process.pid, 'SIGKILL');
    return parse(text, reviver);
  };

  const now = Date.now;
  let behindMs = 0;
  Date.now = () => now() - behindMs;
  process.on('SIGUSR2', () => {
    behindMs += hourMs;
    process.send?.('clock set back');
  });
}
