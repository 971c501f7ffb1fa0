/** This many pieces are joined at a time. */
const joinAt = 4_096;

/**
 * Collects text that arrives in pieces, in about the memory of the text. A string built with `+=` would take a hundred
 * times as much for single letters, because it keeps a node for every piece.
 */
export class TextPieces {
  private readonly joined: string[] = [];
  private pieces: string[] = [];

  get isEmpty(): boolean {
    return this.joined.length === 0 && this.pieces.length === 0;
  }

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
