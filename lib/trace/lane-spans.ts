import { Floats, Ints } from './growable';

/**
 * The spans of one lane in order of start, with the highest end so far beside each, so that the spans that touch a window
 * are found by two binary searches although parallel calls overlap.
 *
 *   start    0   2   3   9        window [4, 8]: first with highest end >= 4 … last with start <= 8
 *   end      1   7   5  11
 *   highest  1   7   7  11        → spans 1 and 2
 */
export class LaneSpans {
  readonly ids = new Ints();
  private readonly starts = new Floats();
  private readonly ends = new Floats();
  private readonly highest = new Floats();

  get length(): number {
    return this.ids.length;
  }

  /** Spans come in order of start; one that is stamped earlier (clocks step back) is filed at the last start. */
  push(span: number, start: number, end: number): void {
    const last = this.length - 1;
    this.ids.push(span);
    this.starts.push(last < 0 ? start : Math.max(start, this.starts.at(last)));
    this.ends.push(end);
    this.highest.push(last < 0 ? end : Math.max(end, this.highest.at(last)));
  }

  /** An end became known, or changed. */
  setEnd(span: number, end: number): void {
    const position = lowerBound(this.ids.data, this.length, span);
    this.ends.data[position] = end;
    let before = position === 0 ? Number.NEGATIVE_INFINITY : this.highest.at(position - 1);
    for (let i = position; i < this.length; i++) {
      const next = Math.max(before, this.ends.at(i));
      if (next === this.highest.at(i)) return;
      this.highest.data[i] = next;
      before = next;
    }
  }

  /** Position of the first span that may reach into a window starting at `from`. */
  firstReaching(from: number): number {
    return lowerBound(this.highest.data, this.length, from);
  }

  /** Position after the last span that starts at or before `to`. */
  afterLastStarting(to: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts.at(middle) <= to) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(sorted: Float64Array | Uint32Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
