import type { Clock } from '@/lib/base/clock';
import { RunLeft } from '@/lib/base/run-left';
import type { CancelReason } from './record/cancel-reason';

/**
 * Groups what is cancelled together and what waits together: the run, and inside it each instance. Cancelling a scope cancels the
 * scopes below it. AbortSignal is not used, because removing one of a thousand listeners from a signal is a linear search.
 *
 * A scope also counts what goes on in it and below it: calls of ports that work, and calls that are parked because they wait for a
 * person. Calls that wait for a permit, a session or each other count as neither. What holds a scope does not count as work, but
 * ends if its worker leaves the run: a tool whose server waits for a person.
 */
export class Scope {
  private readonly parent: Scope | undefined;
  private working = 0;
  private parked = 0;
  private held = 0;
  private readonly watchers = new Set<(isWaiting: boolean) => void>();
  private cancelled: CancelReason | undefined;
  private controller: AbortController | undefined;
  private readonly waiting = new Set<Waiter>();
  private readonly leaveParent: () => void;

  constructor(parent?: Scope) {
    this.parent = parent;
    this.leaveParent = parent ? parent.onCancel((reason) => this.cancel(reason)) : () => {};
  }

  get reason(): CancelReason | undefined {
    return this.cancelled;
  }

  /** A signal for ports. It aborts when the scope is cancelled, with a `RunLeft` if the run goes on elsewhere. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      scopes.set(this.controller.signal, this);
      if (this.cancelled) this.abort(this.controller, this.cancelled);
    }
    return this.controller.signal;
  }

  cancel(reason: CancelReason): void {
    if (this.cancelled) return;
    this.cancelled = reason;
    if (this.controller) this.abort(this.controller, reason);
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const { callback } of waiting) callback(reason);
  }

  private abort(controller: AbortController, { kind }: CancelReason): void {
    controller.abort(kind === 'run_left' ? new RunLeft() : undefined);
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

  /** True while people are waited for in this scope or below it, and nothing else goes on there. */
  get isWaiting(): boolean {
    return this.parked > 0 && this.working === 0;
  }

  /** Runs `callback` whenever `isWaiting` changes. Returns an unsubscribe function. */
  onWaiting(callback: (isWaiting: boolean) => void): () => void {
    this.watchers.add(callback);
    return () => this.watchers.delete(callback);
  }

  /** Counts a call of a port. Returns a function to call once when it has ended. */
  work(): () => void {
    this.count(1, 0);
    return () => this.count(-1, 0);
  }

  /** Counts a call that waits for a person. Returns a function to call once when it waits no longer. */
  park(): () => void {
    this.count(0, 1);
    return () => this.count(0, -1);
  }

  /** True while something in this scope or below it would be lost if the run were suspended. */
  get isHeld(): boolean {
    return this.held > 0;
  }

  /** Keeps the run in its worker. Returns a function to call once when that is not needed any more. */
  hold(): () => void {
    this.addHold(1);
    return () => this.addHold(-1);
  }

  private addHold(by: number): void {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) scope.held += by;
  }

  private count(working: number, parked: number): void {
    for (let scope: Scope | undefined = this; scope; scope = scope.parent) {
      const before = scope.isWaiting;
      scope.working += working;
      scope.parked += parked;
      const { isWaiting } = scope;
      if (isWaiting !== before) for (const watcher of [...scope.watchers]) watcher(isWaiting);
    }
  }

  /** Unsubscribes from the parent, which would otherwise keep this scope in memory. */
  close(): void {
    this.leaveParent();
  }
}

const scopes = new WeakMap<AbortSignal, Scope>();

/** Returns the scope that a signal belongs to. */
export function scopeOf(signal: AbortSignal | undefined): Scope | undefined {
  return signal && scopes.get(signal);
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
