import type { Clock } from '@/lib/base/clock';
import { brandAs, type EpochMs } from '@/lib/base/ids';

export interface FakeClock extends Clock {
  /** Advances the time and wakes sleepers in order. After each wake-up, all pending promises settle. */
  advance(ms: number): Promise<void>;
  /** Advances from sleeper to sleeper until `work` settles. Fails when nothing sleeps and `work` is still pending. */
  runUntil<T>(work: Promise<T>): Promise<T>;
  /** Returns the number of sleepers. */
  sleeping(): number;
}

interface Sleeper {
  readonly at: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Makes a clock with virtual time, which advances on request only. */
export function fakeClock(start = 0): FakeClock {
  let now = start;
  let order = 0;
  const sleepers = new Set<Sleeper>();

  function earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (!first || sleeper.at < first.at || (sleeper.at === first.at && sleeper.order < first.order)) first = sleeper;
    }
    return first;
  }

  function wake(sleeper: Sleeper): void {
    sleepers.delete(sleeper);
    now = Math.max(now, sleeper.at);
    sleeper.wake();
  }

  return {
    now: () => brandAs<EpochMs>(now),
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = { at: now + Math.max(0, ms), order: order++, wake: finish };
        function finish(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', finish);
          resolve();
        }
        sleepers.add(sleeper);
        signal?.addEventListener('abort', finish);
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let next = earliest(); next && next.at <= end; next = earliest()) {
        wake(next);
        await settle();
      }
      now = end;
    },
    async runUntil(work) {
      let done = false;
      const finish = () => {
        done = true;
      };
      work.then(finish, finish);
      await settle();
      while (!done) {
        const next = earliest();
        if (!next) {
          await settle();
          if (done) break;
          throw new Error('The work waits for something that no clock will wake.');
        }
        wake(next);
        await settle();
      }
      return work;
    },
    sleeping: () => sleepers.size,
  };
}

/** Waits until all pending promises have settled: a macrotask runs after all microtasks. */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A clock at which sleeping takes no time. It notes how long, in milliseconds. */
export function sleepless(): FakeClock & { readonly slept: readonly number[] } {
  const slept: number[] = [];
  return { ...fakeClock(1_000), slept, sleep: async (ms) => void slept.push(ms) };
}
