import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';

/** The machine's clock, monotonic within a process so that no bar ends before it starts. */
export const systemClock: Clock = {
  now: () => brandAs<EpochMs>(performance.timeOrigin + performance.now()),
  async sleep(ms, signal) {
    if (signal?.aborted) return;
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  },
};
