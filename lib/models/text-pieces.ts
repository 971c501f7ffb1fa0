/** So many pieces are joined into one text at a time. */
const joinAt = 4_096;

/**
 * Text that arrives in pieces. Takes about the memory of the text itself: a string made by `+=` keeps every piece and a
 * node for each, which is a hundred times as much where pieces are single letters.
 */
export class TextPieces {
  private readonly joined: string[] = [];
  private pieces: string[] = [];

  add(piece: string): void {
    this.pieces.push(piece);
    if (this.pieces.length < joinAt) return;
    this.joined.push(this.pieces.join(''));
    this.pieces = [];
  }

  text(): string {
    const [only] = this.pieces;
    if (this.joined.length === 0 && this.pieces.length === 1 && only !== undefined) return only;
    return [...this.joined, ...this.pieces].join('');
  }
}
