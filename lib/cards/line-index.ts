import { lineStarts } from '@/lib/base/text-lines';

/** Line and column, which count from 1. Columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts offsets in a text to line and column. Scans the text at the first use. */
export class LineIndex {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the position of an offset. An offset outside the text means its nearest end. A BOM has no column. */
  positionOf(offset: number): Position {
    const starts = this.#lineStarts();
    const at = Math.max(0, Math.min(offset, this.#text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const hidden = low === 0 && this.#text.startsWith('\uFEFF') && at > 0 ? 1 : 0;
    return { line: low + 1, column: at - (starts[low] ?? 0) - hidden + 1 };
  }

  /** Returns the offset of a position. A position outside the text means its nearest end. */
  offsetOf({ line, column }: Position): number {
    const starts = this.#lineStarts();
    if (line > starts.length) return this.#text.length;
    const start = starts[Math.max(0, line - 1)] ?? 0;
    const hidden = line === 1 && this.#text.startsWith('\uFEFF') ? 1 : 0;
    return Math.min(start + Math.max(0, column - 1) + hidden, this.#text.length);
  }

  #lineStarts(): readonly number[] {
    this.#starts ??= lineStarts(this.#text);
    return this.#starts;
  }
}
