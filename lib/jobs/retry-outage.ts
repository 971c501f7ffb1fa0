import type { Clock } from '@/lib/base/clock';
import { isOutage } from '@/lib/store/outage';

export const outageRetryMs = 500;

/** Repeats `work` until the database can be used again. Other errors are thrown. */
export async function retryDuringOutage<T>(clock: Clock, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await clock.sleep(outageRetryMs);
    }
  }
}
