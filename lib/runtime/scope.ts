import type { Clock } from '@/lib/base/clock';
import type { CancelReason } from './record/cancel-reason';

/**
 * What may be cancelled together: the run, and inside it each instance. Cancelling a scope cancels those below. It stands
 * in front of AbortSignal because a thousand siblings listening on one signal cost a search each time one of them leaves.
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

  /** For ports, which know nothing of scopes. */
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

  /** Calls back once, at once when it is too late already. Returns what undoes it. */
  onCancel(callback: (reason: CancelReason) => void): () => void {
    if (this.cancelled) {
      callback(this.cancelled);
      return () => {};
    }
    // An object of its own: the same callback may wait twice.
    const waiter: Waiter = { callback };
    this.waiting.add(waiter);
    return () => this.waiting.delete(waiter);
  }

  /** The work's outcome, or `instead()` as soon as the scope is cancelled; what the work says later is dropped. */
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

  /** A finished scope must not be kept alive by its parent. */
  close(): void {
    this.leaveParent();
  }
}

interface Waiter {
  readonly callback: (reason: CancelReason) => void;
}

/** Calls back after `ms` unless stopped before. Returns what stops it. */
export function startTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const controller = new AbortController();
  void clock.sleep(ms, controller.signal).then(() => {
    if (!controller.signal.aborted) callback();
  });
  return () => controller.abort();
}
