/**
 * Keeps what the calls of one batch leave behind in the order they were asked, however they finish.
 *
 *   finished   3 ──┐    1 ──────┐     2 ────────┐
 *   turn           waits   1, at once   2, then 3 at once
 *
 * A call waits only for earlier ones, which began earlier, so nobody waits in a ring.
 */
export class CommitOrder {
  private next = 0;
  private readonly settled = new Set<number>();
  private readonly waiting = new Map<number, (() => void)[]>();

  /** The call with this index has ended and leaves nothing more behind. */
  settle(index: number): void {
    this.settled.add(index);
    while (this.settled.delete(this.next)) {
      this.next += 1;
      const wakes = this.waiting.get(this.next);
      this.waiting.delete(this.next);
      for (const wake of wakes ?? []) wake();
    }
  }

  /** It and every call before it. */
  hasEnded(index: number): boolean {
    return index < this.next;
  }

  /** Resolves when every call before `index` has ended. */
  turnOf(index: number): Promise<void> {
    if (index <= this.next) return Promise.resolve();
    return new Promise((resolve) => {
      const others = this.waiting.get(index);
      if (others) others.push(resolve);
      else this.waiting.set(index, [resolve]);
    });
  }
}
