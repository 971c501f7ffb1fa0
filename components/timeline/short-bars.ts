/**
 * Short bars of one sub-row, so close to each other that nobody can see them as several. A few in one stretch of the picture are painted
 * each. Of more, one bar shows: as wide as all of them together, in the colour of the kind that took the most time.
 *
 *   stretch   |‧ ‧ ‧ ‧ ‧ ‧ ‧ ‧|          eight calls: six of A, two of B
 *   painted   |AAAA           |
 */

/** The number of kinds of short bars. Each kind has a colour and a number below this one. */
export const shortKinds = 8;
const stretchPx = 8;
/** As many bars of a stretch are painted each. */
const mostEach = 2;

/** Paints the bar of a span. With `widthPx` it stands for others too, and is so wide. */
export type PaintShort = (span: number, widthPx?: number) => void;

/** Collects the short bars of one lane, by sub-row (`track`). Bars of a sub-row come in the order of their starts. */
export class ShortBars {
  private readonly stretch: Int32Array;
  private readonly count: Uint32Array;
  private readonly each: Uint32Array;
  private readonly time: Float64Array;
  private readonly longest: Uint32Array;
  private readonly longestPx: Float64Array;

  constructor(private readonly tracks: number) {
    this.stretch = new Int32Array(tracks);
    this.count = new Uint32Array(tracks);
    this.each = new Uint32Array(tracks * mostEach);
    this.time = new Float64Array(tracks * shortKinds);
    this.longest = new Uint32Array(tracks * shortKinds);
    this.longestPx = new Float64Array(tracks * shortKinds);
  }

  /**
   * Adds a bar that begins at `x` and is `widthPx` wide, and paints the stretch before if this one begins another. The parameters are
   * no object, because a frame adds thousands of bars.
   */
  add(track: number, span: number, kind: number, x: number, widthPx: number, paint: PaintShort): void {
    const stretch = Math.floor(x / stretchPx);
    if (this.stretch[track] !== stretch) this.end(track, paint);
    this.stretch[track] = stretch;
    const count = this.count[track] ?? 0;
    this.count[track] = count + 1;
    if (count < mostEach) this.each[track * mostEach + count] = span;
    const at = track * shortKinds + kind;
    this.time[at] = (this.time[at] ?? 0) + widthPx;
    if (this.time[at] === widthPx || widthPx > (this.longestPx[at] ?? 0)) {
      this.longest[at] = span;
      this.longestPx[at] = widthPx;
    }
  }

  /** Paints what was added last. */
  endAll(paint: PaintShort): void {
    for (let track = 0; track < this.tracks; track++) this.end(track, paint);
  }

  private end(track: number, paint: PaintShort): void {
    const count = this.count[track] ?? 0;
    if (count === 0) return;
    this.count[track] = 0;
    const first = track * shortKinds;
    let most = first;
    let sum = 0;
    for (let at = first; at < first + shortKinds; at++) {
      sum += this.time[at] ?? 0;
      if ((this.time[at] ?? 0) > (this.time[most] ?? 0)) most = at;
    }
    const longest = this.longest[most] ?? 0;
    this.time.fill(0, first, first + shortKinds);
    if (count > mostEach) paint(longest, Math.min(Math.round(sum), stretchPx));
    else for (let i = 0; i < count; i++) paint(this.each[track * mostEach + i] ?? 0);
  }
}
