/** A move of a label to a revision. */
interface LabelMove {
  readonly kind: string;
  /** The number of the revision. */
  readonly revision: number;
}

/**
 * Returns the moves of a label that hold, of all its moves, oldest first. A roll back ends those after the one that it goes back to. The last
 * one says what the label names.
 *
 *   moves   1   2   3   back to 2   4      ─▶   1   2   4
 */
export function lineOfMoves<Move extends LabelMove>(moves: readonly Move[]): readonly Move[] {
  const line: Move[] = [];
  for (const move of moves) {
    const place = move.kind === 'rollback' ? line.findLastIndex(({ revision }) => revision === move.revision) : -1;
    if (place === -1) line.push(move);
    else line.length = place + 1;
  }
  return line;
}
