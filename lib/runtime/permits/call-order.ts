/**
 * Gives the calls of one batch their turns in the order in which the model asked for them: turns to commit state, however
 * they finish, and turns at a session, however long their hooks take.
 *
 *   finished   3 ──┐    1 ──────┐     2 ────────┐
 *   turn           waits   1, at once   2, then 3 at once
 *
 * A call waits for earlier calls alone, so the order itself cannot cause a deadlock.
 */
export class CallOrder {
  private next = 0;
  private readonly settled = new Set<number>();
  private readonly waiting = new Map<number, (() => void)[]>();
  /** Callbacks that wait for the end of one call, by its index. */
  private readonly watching = new Map<number, (() => void)[]>();

  /** Marks that the call with this index has had its turn or needs none. */
  settle(index: number): void {
    if (this.hasEnded(index)) return;
    this.settled.add(index);
    for (const wake of this.watching.get(index) ?? []) wake();
    this.watching.delete(index);
    while (this.settled.delete(this.next)) {
      this.next += 1;
      const wakes = this.waiting.get(this.next);
      this.waiting.delete(this.next);
      for (const wake of wakes ?? []) wake();
    }
  }

  hasEnded(index: number): boolean {
    return index < this.next || this.settled.has(index);
  }

  /** Resolves when the call with this index has ended, even if earlier calls have not. */
  endOf(index: number): Promise<void> {
    if (this.hasEnded(index)) return Promise.resolve();
    return new Promise((resolve) => {
      const others = this.watching.get(index);
      if (others) others.push(resolve);
      else this.watching.set(index, [resolve]);
    });
  }

  /** True if every call before `index` has ended. */
  isTurnOf(index: number): boolean {
    return index <= this.next;
  }

  /** Resolves when every call before `index` has ended. */
  turnOf(index: number): Promise<void> {
    if (this.isTurnOf(index)) return Promise.resolve();
    return new Promise((resolve) => {
      const others = this.waiting.get(index);
      if (others) others.push(resolve);
      else this.waiting.set(index, [resolve]);
    });
  }
}
