import type { Clock } from '@/lib/base/clock';
import type { CancelReason } from './record/cancel-reason';

/**
 * Groups what is cancelled together: the run, and inside it each instance. Cancelling a scope cancels the scopes below it.
 * AbortSignal is not used, because removing one of a thousand listeners from a signal is a linear search.
 */
export class Scope {
  private cancelled: CancelReason | undefined;
  private controller: AbortController | undefined;
  private readonly waiting = new Set<Waiter>();
  private readonly leaveParent: () => void;

  constructor(parent?: Scope) {
    this.leaveParent = parent ? parent.onCancel((reason) => this.cancel(reason)) : () => {};
  }

  get reason(): CancelReason | undefined {
    return this.cancelled;
  }

  /** A signal for ports. It aborts when the scope is cancelled. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.cancelled) this.controller.abort();
    }
    return this.controller.signal;
  }

  cancel(reason: CancelReason): void {
    if (this.cancelled) return;
    this.cancelled = reason;
    this.controller?.abort();
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const { callback } of waiting) callback(reason);
  }

  /** Runs `callback` once on cancellation, immediately if already cancelled. Returns an unsubscribe function. */
  onCancel(callback: (reason: CancelReason) => void): () => void {
    if (this.cancelled) {
      callback(this.cancelled);
      return () => {};
    }
    // Each call makes a new object, because the same callback may be registered twice.
    const waiter: Waiter = { callback };
    this.waiting.add(waiter);
    return () => this.waiting.delete(waiter);
  }

  /** Resolves like `work`, or to `instead()` as soon as the scope is cancelled; then the outcome of `work` is ignored. */
  race<T>(work: Promise<T>, instead: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = this.onCancel(() => resolve(instead()));
      work.then(
        (value) => {
          leave();
          resolve(value);
        },
        (error: unknown) => {
          leave();
          reject(error);
        },
      );
    });
  }

  /** Unsubscribes from the parent, which would otherwise keep this scope in memory. */
  close(): void {
    this.leaveParent();
  }
}

interface Waiter {
  readonly callback: (reason: CancelReason) => void;
}

/** Runs `callback` after `ms`. Returns a function that stops the timer. */
export function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const controller = new AbortController();
  void clock.sleep(ms, controller.signal).then(() => {
    if (!controller.signal.aborted) callback();
  });
  return () => controller.abort();
}
