import type { Clock } from '@/lib/base/clock';
import { err, type Result } from '@/lib/base/result';

/** The first wait after a start that failed at once: fifty siblings ask at the same time. */
const firstHoldMs = 3_000;
const longestHoldMs = 30_000;
/** After a start that took all its time. */
const longestLateHoldMs = 600_000;
/** So long an attempt is waited for after one that took all its time; it goes on without those who asked. */
const graceMs = 2_000;

/**
 * What is known of a server that does not start or does not list its tools:
 *
 *   failed ──▶ held, everyone is told at once ──hold is over──▶ `onAgain` ──▶ next attempt ──▶ failed: the hold doubles
 *                                                                                       └──▶ succeeded: forgotten
 *
 * A server that hangs takes its whole time limit once. Later attempts run beside those who ask, who wait a moment only:
 * otherwise each model call would wait for the server again.
 */
export interface StartFailures {
  /** Why no attempt may begin now, as sentences; undefined when one may. */
  held(): string | undefined;
  failed(message: string, isLate: boolean): void;
  /** True when that ends a time of failures. */
  succeeded(): boolean;
  /** The outcome of an attempt; the last failure, when that one was late and this one takes more than a moment. */
  hurried<T>(attempt: Promise<Result<T, string>>): Promise<Result<T, string>>;
}

export function createStartFailures(input: {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** Ends the waits. */
  readonly signal: AbortSignal;
  /** Another attempt may begin. */
  onAgain(): void;
}): StartFailures {
  const { clock, signal } = input;
  let last: { readonly message: string; readonly isLate: boolean; readonly until: number } | undefined;
  let count = 0;

  return {
    held() {
      if (last === undefined || clock.now() >= last.until) return undefined;
      const seconds = Math.ceil((last.until - clock.now()) / 1000);
      return `${last.message}${last.message.includes('\n') ? '\n' : ' '}It is tried again in ${seconds} s.`;
    },
    failed(message, isLate) {
      if (signal.aborted) return;
      const first = isLate ? Math.max(firstHoldMs, 2 * input.connectTimeoutMs) : firstHoldMs;
      const holdMs = Math.min(first * 2 ** Math.min(count, 20), isLate ? longestLateHoldMs : longestHoldMs);
      count += 1;
      const mine = { message, isLate, until: clock.now() + holdMs };
      last = mine;
      void clock.sleep(holdMs, signal).then(() => {
        if (last === mine && !signal.aborted) input.onAgain();
      });
    },
    succeeded() {
      const wasFailing = last !== undefined;
      last = undefined;
      count = 0;
      return wasFailing;
    },
    async hurried(attempt) {
      if (last === undefined || !last.isLate) return await attempt;
      const { message } = last;
      const enough = new AbortController();
      const late = clock.sleep(graceMs, enough.signal).then(() => err(message));
      const outcome = await Promise.race([attempt, late]);
      enough.abort();
      return outcome;
    },
  };
}
