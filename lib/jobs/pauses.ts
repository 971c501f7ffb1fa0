/** A thread that executes calls is given back after so many milliseconds. */
const longestMs = 50;

/**
 * Makes the port `pause` of runs. Calls that wait for nothing follow each other without a turn of the event loop, and a model may ask for
 * thousands of them. A pause lets the loop turn: events are written, other runs go on, and the watchdog hears of the thread.
 */
export function createPauses(nowMs: () => number): () => Promise<void> | undefined {
  let since = nowMs();
  let pause: Promise<void> | undefined;
  return () => {
    if (pause !== undefined || nowMs() - since < longestMs) return pause;
    pause = new Promise((resolve) => {
      setImmediate(() => {
        since = nowMs();
        pause = undefined;
        resolve();
      });
    });
    return pause;
  };
}
