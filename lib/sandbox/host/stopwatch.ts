/**
 * A timer that can be paused. Calls `onElapsed` once when its time is used up. It uses real time and not a `Clock`, since it
 * limits a real thread or process. It does not keep the process alive.
 */
export interface Stopwatch {
  start(): void;
  pause(): void;
  /** Starts again with the full time. */
  restart(): void;
  stop(): void;
}

export function createStopwatch(limitMs: number, onElapsed: () => void): Stopwatch {
  let leftMs = limitMs;
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  const watch: Stopwatch = {
    start() {
      if (timer !== undefined) return;
      since = performance.now();
      timer = setTimeout(() => {
        timer = undefined;
        onElapsed();
      }, leftMs);
      timer.unref();
    },
    pause() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leftMs = Math.max(0, leftMs - (performance.now() - since));
    },
    restart() {
      watch.stop();
      watch.start();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      leftMs = limitMs;
    },
  };
  return watch;
}
