import type { RunId } from '@/lib/base/ids';
import { createLog } from './log';

/**
 * Makes the events of runs whose spans have arrived, one run at a time. A run waits a moment, so that the spans of several
 * requests are taken together, and a large run waits in proportion to the time that it took last. A run that fails is tried
 * again with its next spans.
 */
export class Settler {
  private readonly settle: (run: RunId) => Promise<void>;
  /** When each run may be settled, on the monotonic clock. */
  private readonly wanted = new Map<RunId, number>();
  private readonly costs = new Map<RunId, number>();
  private working: Promise<void> | undefined;

  constructor(settle: (run: RunId) => Promise<void>) {
    this.settle = settle;
  }

  want(run: RunId): void {
    if (!this.wanted.has(run)) this.wanted.set(run, performance.now() + shortestMs + 3 * (this.costs.get(run) ?? 0));
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      if (this.wanted.size > 0) this.want([...this.wanted.keys()][0] as RunId);
    });
  }

  /** Resolves when all requested runs have been tried. */
  async settled(): Promise<void> {
    await this.working;
  }

  private async work(): Promise<void> {
    for (;;) {
      const next = [...this.wanted].sort(([, a], [, b]) => a - b)[0];
      if (next === undefined) return;
      const [run, due] = next;
      const left = due - performance.now();
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, shortestMs)));
      if (left > 0) continue;
      this.wanted.delete(run);
      const began = performance.now();
      try {
        await this.settle(run);
      } catch (error) {
        createLog('web').error({ err: error, run_id: run }, 'the events of an imported run could not be made');
      }
      this.noteCost(run, performance.now() - began);
    }
  }

  private noteCost(run: RunId, ms: number): void {
    this.costs.delete(run);
    this.costs.set(run, ms);
    for (const oldest of this.costs.keys()) {
      if (this.costs.size <= 1_000) return;
      this.costs.delete(oldest);
    }
  }
}

const shortestMs = 100;
