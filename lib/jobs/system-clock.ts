import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';

const wallClock = Date.now.bind(Date);

let offsetMs = performance.timeOrigin;

/** Follows the machine's clock forwards, also after the machine slept. When that clock is set back, this one continues. */
function steadyNow(): number {
  const monotonic = performance.now();
  offsetMs = Math.max(offsetMs, wallClock() - monotonic);
  return offsetMs + monotonic;
}

/** The machine's clock, with fractions of a millisecond. It never runs backwards. */
export const systemClock: Clock = {
  now: () => brandAs<EpochMs>(steadyNow()),
  sleep(ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
    });
  },
};

/**
 * Makes `Date.now` of this process monotonic too, because DBOS schedules its polls with it. If the clock were set back by a
 * minute, a worker would take no run for a minute.
 */
export function keepDateSteady(): void {
  Date.now = () => Math.floor(steadyNow());
}
