/**
 * Numbers in use, of which the lowest that is free is taken. Each operation takes logarithmic time, however many are in use:
 *
 *   in use   0 1 . 3 . . 6      next = 7, the first number that was never in use
 *   free     2 4 5              a heap, the lowest first; it may also hold numbers that came into use again
 */
export class FreeSlots {
  private readonly busy = new Set<number>();
  private readonly free: number[] = [];
  private next = 0;

  /** Returns the numbers in use, the lowest first. */
  taken(): readonly number[] {
    return [...this.busy].sort((a, b) => a - b);
  }

  /** Takes the lowest free number. */
  take(): number {
    let slot = this.popFree();
    while (slot !== undefined && this.busy.has(slot)) slot = this.popFree();
    slot ??= this.next++;
    this.busy.add(slot);
    return slot;
  }

  /** Takes this number. */
  add(slot: number): void {
    for (; this.next <= slot; this.next++) if (this.next < slot) this.pushFree(this.next);
    this.busy.add(slot);
  }

  delete(slot: number): void {
    if (this.busy.delete(slot)) this.pushFree(slot);
  }

  private pushFree(slot: number): void {
    const { free } = this;
    let at = free.length;
    free.push(slot);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = free[parent] ?? 0;
      if (above <= slot) break;
      free[at] = above;
      at = parent;
    }
    free[at] = slot;
  }

  private popFree(): number | undefined {
    const { free } = this;
    const first = free[0];
    const last = free.pop();
    if (first === undefined || last === undefined || free.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= free.length) break;
      if (child + 1 < free.length && (free[child + 1] ?? 0) < (free[child] ?? 0)) child += 1;
      const below = free[child] ?? 0;
      if (below >= last) break;
      free[at] = below;
      at = child;
    }
    free[at] = last;
    return first;
  }
}
