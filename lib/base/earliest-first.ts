/** A list of which the first by an order is taken. Adding and taking need logarithmic time. */
export class EarliestFirst<T> {
  private readonly heap: T[] = [];

  /** `compare` is negative if `a` is before `b`. */
  constructor(private readonly compare: (a: T, b: T) => number) {}

  get first(): T | undefined {
    return this.heap[0];
  }

  add(one: T): void {
    const { heap, compare } = this;
    let at = heap.length;
    heap.push(one);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || compare(above, one) <= 0) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = one;
  }

  take(): T | undefined {
    const { heap, compare } = this;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = heap[child + 1];
      if (right !== undefined && compare(right, heap[child] ?? right) < 0) child += 1;
      const below = heap[child];
      if (below === undefined || compare(last, below) <= 0) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}
