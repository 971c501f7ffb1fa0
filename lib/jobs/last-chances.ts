import type { Clock } from '@/lib/base/clock';

/**
 * Runs whose worker died at every attempt so far get their last one after another, so that a death tells whose fault it was:
 * runs that merely shared the worker with another would else be given up with it.
 */
export interface LastChances {
  /** Resolves when no other run of this worker has its last chance. */
  enter(): Promise<LastChance>;
}

export interface LastChance {
  /** Call it when the attempt begins. `onSurvived` is called once, unless the chance has ended before. Must not throw. */
  begin(onSurvived: () => void): void;
  /** Lets the next one in. Call it in any case; a second call does nothing. */
  end(): void;
}

/** A run that ends its worker does so soon after it was resumed, for it begins at the same step again. */
const chanceMs = 5_000;

export function createLastChances(clock: Clock): LastChances {
  let last: Promise<void> = Promise.resolve();
  return {
    async enter() {
      const before = last;
      const over = new AbortController();
      last = new Promise((resolve) => over.signal.addEventListener('abort', () => resolve(), { once: true }));
      await before;
      return {
        begin(onSurvived) {
          void clock.sleep(chanceMs, over.signal).then(() => {
            if (over.signal.aborted) return;
            onSurvived();
            over.abort();
          });
        },
        end: () => over.abort(),
      };
    },
  };
}
