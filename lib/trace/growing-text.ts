/**
 * Keeps the end of a text that grows, in limited memory. Positions count UTF-16 units from the beginning of the whole text,
 * also if that is no longer kept.
 */
export class GrowingText {
  /** The position of the first unit that is kept. */
  start = 0;
  /** The length of the whole text. */
  end = 0;
  private joined = '';
  private pieces: string[] = [];

  /** Once twice as many units are kept as `most`, all but the last `most` are dropped. */
  constructor(private readonly most: number) {}

  /**
   * Writes text at a position. What was there from the position on is replaced. A text that begins after the end, or before
   * what is kept, replaces everything: what lies between is not known.
   */
  put(at: number, text: string): void {
    if (at === this.end) {
      // A string made with `+=` keeps a node for every piece, which takes a hundred times the memory of a letter.
      this.pieces.push(text);
      this.end += text.length;
      if (this.pieces.length >= piecesAtOnce || this.end - this.start >= 2 * this.most) this.join();
      return;
    }
    const isKept = at >= this.start && at < this.end;
    const before = isKept ? this.text().slice(0, at - this.start) : '';
    if (!isKept) this.start = at;
    this.pieces = [];
    this.joined = before + text;
    this.end = at + text.length;
    this.join();
  }

  /** Returns what is kept. */
  text(): string {
    if (this.pieces.length > 0) this.join();
    return this.joined;
  }

  /** Returns at most `most` units from a position on, or from the first one that is kept. */
  from(position: number, most: number): { readonly at: number; readonly text: string } {
    const at = Math.min(Math.max(position, this.start), this.end);
    return { at, text: this.text().slice(at - this.start, at - this.start + most) };
  }

  private join(): void {
    this.joined = [this.joined, ...this.pieces].join('');
    this.pieces = [];
    if (this.joined.length < 2 * this.most) return;
    let cut = this.joined.length - this.most;
    // A pair of surrogates is one character and stays whole.
    if (/^[\uDC00-\uDFFF]/.test(this.joined.charAt(cut))) cut += 1;
    this.joined = this.joined.slice(cut);
    this.start += cut;
  }
}

const piecesAtOnce = 256;
