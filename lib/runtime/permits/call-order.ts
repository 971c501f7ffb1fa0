/**
 * Turns of the calls of one batch in the order they were asked: at leaving state behind, however they finish, and at
 * a session, however long their hooks take.
 *
 *   finished   3 ──┐    1 ──────┐     2 ────────┐
 *   turn           waits   1, at once   2, then 3 at once
 *
 * A call waits only for earlier ones, which began earlier, so nobody waits in a ring.
 */
export class CallOrder {
  private next = 0;
  private readonly settled = new Set<number>();
  private readonly waiting = new Map<number, (() => void)[]>();
  /** Those that wait for one call alone. */
  private readonly watching = new Map<number, (() => void)[]>();

  /** The call with this index has had its turn, or wants none. */
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

  /** Resolves when the call with this index has ended, whatever those before it do. */
  endOf(index: number): Promise<void> {
    if (this.hasEnded(index)) return Promise.resolve();
    return new Promise((resolve) => {
      const others = this.watching.get(index);
      if (others) others.push(resolve);
      else this.watching.set(index, [resolve]);
    });
  }

  /** Every call before it has ended. */
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
