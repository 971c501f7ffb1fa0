import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';

const wallClock = Date.now.bind(Date);

let offsetMs = performance.timeOrigin;

/** Goes forward with the machine's clock, also over a sleep of the machine; when that clock is set back, it goes on. */
function steadyNow(): number {
  const monotonic = performance.now();
  offsetMs = Math.max(offsetMs, wallClock() - monotonic);
  return offsetMs + monotonic;
}

/** The machine's clock, with fractions of a millisecond that never run backwards. */
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
 * Makes `Date.now` of this process steady too. DBOS plans the next look into the queue by it: with a clock that is set back
 * by a minute, a worker would take no run for a minute.
 */
export function keepDateSteady(): void {
  Date.now = () => Math.floor(steadyNow());
}
