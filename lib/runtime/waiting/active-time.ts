import type { Clock } from '@/lib/base/clock';
import type { InstancePath } from '@/lib/base/ids';
import { type Scope, startTimer } from '@/lib/runtime/scope';

/**
 * Measures how long a scope works, over all executions of the run. The time in which only people are waited for does not count.
 *
 *   works ────┐ waits ····· ┌──── suspended ····· ┌──── works
 *   counted   3 s           2 s                   1 s           = 6 s
 */
export class ActiveTime {
  private readonly clock: Clock;
  private readonly scope: Scope;
  private readonly leaveScope: () => void;
  private counted: number;
  /** When the scope began to work; `undefined` while it waits. */
  private since: number | undefined;
  private limit: { readonly ms: number; readonly callback: () => void } | undefined;
  private stopTimer: () => void = () => {};

  /** `before`: milliseconds that earlier executions have counted. */
  constructor(clock: Clock, scope: Scope, before: number) {
    this.clock = clock;
    this.scope = scope;
    this.counted = before;
    this.since = scope.isWaiting ? undefined : clock.now();
    this.leaveScope = scope.onWaiting((isWaiting) => (isWaiting ? this.pause() : this.goOn()));
  }

  get ms(): number {
    return this.counted + (this.since === undefined ? 0 : Math.max(0, this.clock.now() - this.since));
  }

  /** Runs `callback` once when `ms` milliseconds are counted. */
  limitTo(ms: number, callback: () => void): void {
    this.limit = { ms, callback };
    if (this.since !== undefined) this.startTimer();
  }

  stop(): void {
    this.leaveScope();
    this.stopTimer();
  }

  private pause(): void {
    this.counted = this.ms;
    this.since = undefined;
    this.stopTimer();
  }

  private goOn(): void {
    this.since = this.clock.now();
    this.startTimer();
  }

  private startTimer(): void {
    const { limit } = this;
    if (limit === undefined || this.scope.reason) return;
    this.stopTimer = startTimer(this.clock, Math.max(0, limit.ms - this.ms), () => {
      this.limit = undefined;
      limit.callback();
    });
  }
}

/** The active times of a run and of its open instances. The root's is that of the run. */
export class ActiveTimes {
  private readonly clock: Clock;
  private readonly before: (path: InstancePath) => number;
  private readonly open = new Map<InstancePath, ActiveTime>();

  constructor(clock: Clock, before: (path: InstancePath) => number) {
    this.clock = clock;
    this.before = before;
  }

  /** Starts to measure. The time goes on where the last suspension of the run left it. */
  start(path: InstancePath, scope: Scope): ActiveTime {
    const time = new ActiveTime(this.clock, scope, this.before(path));
    this.open.set(path, time);
    return time;
  }

  stop(path: InstancePath): void {
    this.open.get(path)?.stop();
    this.open.delete(path);
  }

  /** Returns what `run.suspended` records: whole milliseconds by path. */
  all(): Readonly<Record<InstancePath, number>> {
    return Object.fromEntries([...this.open].map(([path, time]) => [path, Math.round(time.ms)]));
  }
}
