import type { FakePiece } from './fake-openai';

/** Pieces of an answer that a test sends one by one. */
export interface PieceTap extends AsyncIterable<FakePiece> {
  send(piece: FakePiece): void;
  end(): void;
}

export function pieceTap(): PieceTap {
  const waiting: FakePiece[] = [];
  let wake: () => void = () => {};
  let isOver = false;
  return {
    send(piece) {
      waiting.push(piece);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (isOver) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
  };
}
