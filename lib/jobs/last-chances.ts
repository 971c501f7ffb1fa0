import type { Clock } from '@/lib/base/clock';

/**
 * Gives runs whose worker died in every attempt so far their last attempt, one after another. A death then shows which run
 * causes it. Otherwise runs that only shared the worker with that run would fail too.
 */
export interface LastChances {
  /** Resolves when no other run of this worker has its last chance. */
  enter(): Promise<LastChance>;
}

export interface LastChance {
  /** Call it when the attempt begins. `onSurvived` is called once after the critical time, unless `end` was called before. It must not throw. */
  begin(onSurvived: () => void): void;
  /** Lets the next run begin. Must always be called. A second call does nothing. */
  end(): void;
}

/** A run that kills its worker does it soon after the start, because it repeats the same step. */
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
