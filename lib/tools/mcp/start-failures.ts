import type { Clock } from '@/lib/base/clock';
import { err, type Result } from '@/lib/base/result';

/** The first delay after a start that failed quickly. Without it, each of fifty siblings would try again immediately. */
const firstHoldMs = 3_000;
const longestHoldMs = 30_000;
/** The longest delay after a start that timed out. */
const longestLateHoldMs = 600_000;
/** Callers wait this long for an attempt that follows a time-out. The attempt itself continues. */
const graceMs = 2_000;

/**
 * Delays attempts (exponential backoff) to reach a server that does not start or does not list its tools:
 *
 *   failed ──▶ held: callers get the failure immediately ──delay──▶ `onAgain` ──▶ next attempt ──▶ failed: the delay doubles
 *                                                                                          └──▶ succeeded: reset
 *
 * Callers wait for the whole time limit of a hanging server only once. During later attempts they wait for `graceMs`;
 * otherwise each model call would wait for the server again.
 */
export interface StartFailures {
  /** Returns the sentences that say why no attempt may begin now, or `undefined` when one may begin. */
  held(): string | undefined;
  failed(message: string, isLate: boolean): void;
  /** Resets the delay. Returns true if failures came before. */
  succeeded(): boolean;
  /**
   * Returns the outcome of an attempt, or the last failure if that was a time-out and this attempt takes longer than
   * `graceMs`.
   */
  hurried<T>(attempt: Promise<Result<T, string>>): Promise<Result<T, string>>;
}

export function createStartFailures(input: {
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** Its abort ends all delays. */
  readonly signal: AbortSignal;
  /** Called when another attempt may begin. */
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
