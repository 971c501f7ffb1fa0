import { Floats, Ints } from './growable';

const blockSpans = 32;

/**
 * Finds the spans of one lane that touch a window. Spans are in order of start, each with the highest end so far, so that
 * two binary searches are enough although parallel calls overlap.
 *
 *   start    0   2   3   9        window [4, 8]: first with highest end >= 4 … last with start <= 8
 *   end      1   7   5  11
 *   highest  1   7   7  11        → spans 1 and 2
 *
 * The span of an instance is as long as all its steps, so the highest end alone would let each window begin with the first step.
 * The latest end of each block of spans tells which blocks have ended before a window.
 */
export class LaneSpans {
  readonly ids = new Ints();
  private readonly starts = new Floats();
  private readonly ends = new Floats();
  private readonly highest = new Floats();
  private readonly blocks = new Floats();

  get length(): number {
    return this.ids.length;
  }

  /**
   * Adds a span. Spans come in order of start. One with an earlier start, after a clock was set back, is stored with the
   * last start.
   */
  push(span: number, start: number, end: number): void {
    const last = this.length - 1;
    this.ids.push(span);
    this.starts.push(last < 0 ? start : Math.max(start, this.starts.at(last)));
    this.ends.push(end);
    this.highest.push(last < 0 ? end : Math.max(end, this.highest.at(last)));
    const block = Math.floor((last + 1) / blockSpans);
    if (block === this.blocks.length) this.blocks.push(end);
    else this.blocks.data[block] = Math.max(end, this.blocks.at(block));
  }

  /** Stores an end that became known or changed. */
  setEnd(span: number, end: number): void {
    const position = lowerBound(this.ids.data, this.length, span);
    this.ends.data[position] = end;
    this.measureBlock(Math.floor(position / blockSpans));
    let before = position === 0 ? Number.NEGATIVE_INFINITY : this.highest.at(position - 1);
    for (let i = position; i < this.length; i++) {
      const next = Math.max(before, this.ends.at(i));
      if (next === this.highest.at(i)) return;
      this.highest.data[i] = next;
      before = next;
    }
  }

  /**
   * Makes these the first spans of `all`, those with a number below `limit`. The columns are shared, so a later change of
   * `all` may show, but only in spans that had not ended.
   */
  shareFirst(all: LaneSpans, limit: number): void {
    this.ids.data = all.ids.data;
    this.ids.length = lowerBound(all.ids.data, all.length, limit);
    this.starts.data = all.starts.data;
    this.ends.data = all.ends.data;
    this.highest.data = all.highest.data;
    this.blocks.data = all.blocks.data;
    this.blocks.length = Math.ceil(this.length / blockSpans);
  }

  /**
   * Writes the spans into `into` that touch the window from `from` to `to`, in order, and returns how many. `into` is at least as
   * long as the lane.
   */
  touching(from: number, to: number, into: Uint32Array): number {
    const after = this.afterLastStarting(to);
    const ids = this.ids.data;
    const ends = this.ends.data;
    let count = 0;
    for (let block = Math.floor(this.firstReaching(from) / blockSpans); block * blockSpans < after; block++) {
      if (this.blocks.at(block) < from) continue;
      const until = Math.min((block + 1) * blockSpans, after);
      for (let i = block * blockSpans; i < until; i++) if ((ends[i] ?? 0) >= from) into[count++] = ids[i] ?? 0;
    }
    return count;
  }

  private measureBlock(block: number): void {
    let latest = Number.NEGATIVE_INFINITY;
    const until = Math.min((block + 1) * blockSpans, this.length);
    for (let i = block * blockSpans; i < until; i++) latest = Math.max(latest, this.ends.at(i));
    this.blocks.data[block] = latest;
  }

  /** Returns the position of the first span that may reach into a window starting at `from`. */
  firstReaching(from: number): number {
    return lowerBound(this.highest.data, this.length, from);
  }

  /** Returns the position after the last span that starts at or before `to`. */
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
