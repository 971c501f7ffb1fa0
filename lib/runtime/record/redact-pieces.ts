/**
 * Hides values in text that arrives in pieces. A value may be split over pieces, so the end of a piece is held back for as
 * long as it may be the beginning of a value:
 *
 *   pieces   "the key is sk-l" · "ive-1234, " · "so"
 *   passed   "the key is "     · "***, "      · "so"
 */
export class PieceRedactor {
  /** The values by their first UTF-16 unit, the longest first. */
  private readonly byFirst = new Map<number, string[]>();
  private readonly longest: number;

  constructor(hidden: readonly string[]) {
    for (const value of [...hidden].sort((a, b) => b.length - a.length)) {
      if (value === '') continue;
      const first = value.charCodeAt(0);
      const others = this.byFirst.get(first);
      if (others === undefined) this.byFirst.set(first, [value]);
      else others.push(value);
    }
    this.longest = hidden.reduce((most, value) => Math.max(most, value.length), 0);
  }

  /** True if no value begins in `text`, so that all of it may be shown. */
  isHarmless(text: string): boolean {
    for (let at = 0; at < text.length; at += 1) {
      const values = this.byFirst.get(text.charCodeAt(at));
      if (values !== undefined && (this.mayBegin(text, at, values) || this.startsWith(text, at, values))) return false;
    }
    return true;
  }

  /**
   * Returns what may be shown of `text`, and the end of it that must wait for the next piece. The caller puts that end
   * before the next piece.
   */
  split(text: string): { readonly clean: string; readonly held: string } {
    let clean = '';
    let from = 0;
    for (let at = 0; at < text.length; ) {
      const values = this.byFirst.get(text.charCodeAt(at));
      if (values !== undefined) {
        if (this.mayBegin(text, at, values)) return { clean: clean + text.slice(from, at), held: text.slice(at) };
        const found = this.startsWith(text, at, values);
        if (found !== undefined) {
          clean += `${text.slice(from, at)}***`;
          at += found.length;
          from = at;
          continue;
        }
      }
      at += 1;
    }
    return { clean: from === 0 ? text : clean + text.slice(from), held: '' };
  }

  private startsWith(text: string, at: number, values: readonly string[]): string | undefined {
    return values.find((value) => text.startsWith(value, at));
  }

  /** True if all of the text from `at` on is the beginning of a value, but not the whole of it. */
  private mayBegin(text: string, at: number, values: readonly string[]): boolean {
    const rest = text.length - at;
    if (rest >= this.longest) return false;
    // Most texts differ from all values in their second letter.
    const second = text.charCodeAt(at + 1);
    return values.some(
      (value) =>
        value.length > rest && (rest === 1 || value.charCodeAt(1) === second) && value.startsWith(text.slice(at)),
    );
  }
}
