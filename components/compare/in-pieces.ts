/** Clock and timers, which tests replace. */
export interface PiecesHost {
  /** Returns milliseconds. */
  now(): number;
  /** Runs a callback in a later task. Returns a function that cancels it. */
  later(callback: () => void): () => void;
}

export interface PiecesReader<Result> {
  /** Called between pieces with the share of the work that is done. */
  onShare(share: number): void;
  onDone(result: Result): void;
}

/** One piece takes about this long, so that a frame of 60 a second has room for it. */
const pieceMs = 8;

/**
 * Does work that yields the share that is done, in pieces between which the page paints and answers its user. The first piece is
 * done in a later task. Returns a function that cancels the work.
 */
export function inPieces<Result>(
  work: Generator<number, Result, undefined>,
  { onShare, onDone }: PiecesReader<Result>,
  host: PiecesHost = browserHost,
): () => void {
  const piece = () => {
    const until = host.now() + pieceMs;
    for (;;) {
      const { done, value } = work.next();
      if (done) return onDone(value);
      if (host.now() < until) continue;
      onShare(value);
      cancel = host.later(piece);
      return;
    }
  };
  let cancel = host.later(piece);
  return () => cancel();
}

const browserHost: PiecesHost = {
  now: () => performance.now(),
  later(callback) {
    const timer = setTimeout(callback);
    return () => clearTimeout(timer);
  },
};
