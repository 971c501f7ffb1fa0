import type { JsonObject } from '@/lib/base/json';
import type { CallOrder } from './call-order';
import type { CallScheduler, Permit } from './call-scheduler';

/** What a call knows about its place in the batch. */
export interface CallSlot {
  readonly index: number;
  /**
   * The permit is held while the hooks, the tool or the child run. It is released while the call waits and when the tool or
   * child has ended.
   */
  readonly permit: Permit;
  /** The order in which calls commit state. A call settles when it ends. */
  readonly order: CallOrder;
  /** The order in which calls of the same child ask for its resource. A call settles when it has asked, or will not ask. */
  readonly childTurn: { readonly order: CallOrder; readonly index: number } | undefined;
  /** The caller's state when the calls that run in parallel with this one started. */
  readonly stateBefore: JsonObject;
  /** The calls of this batch whose answers other calls may share, by cache key. */
  readonly owners: Map<string, AnswerOwner>;
  /** Set while other calls may share the answer of this one. */
  owned: AnswerOwner | undefined;
  /** Counts the instances started so far. */
  attempts: number;
  /** Set when the result was taken from an equal call. */
  cached: boolean;
}

/** A call that runs for itself and for equal calls of its batch. */
export class AnswerOwner {
  readonly index: number;
  /** True once the call waits, or has waited, for its turn to commit. */
  isWaiting = false;
  /** Resolves when `isWaiting` becomes true. */
  readonly untilWaiting: Promise<void>;
  private tell: () => void = () => {};

  constructor(index: number) {
    this.index = index;
    this.untilWaiting = new Promise((resolve) => {
      this.tell = resolve;
    });
  }

  wait(): void {
    this.isWaiting = true;
    this.tell();
  }
}

/**
 * Waits until every earlier call has ended. It releases the permit first, because the tool or child of this call has ended.
 */
export function turnToCommit(scheduler: CallScheduler, { index, permit, order, owned }: CallSlot): Promise<void> {
  scheduler.release(permit);
  owned?.wait();
  return order.turnOf(index);
}
