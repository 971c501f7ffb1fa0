import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';

/** The machine's clock, with fractions of a millisecond that never run backwards. */
export const systemClock: Clock = {
  now: () => brandAs<EpochMs>(performance.timeOrigin + performance.now()),
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
