import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface LineReader {
  /**
   * Returns the next line; `undefined` when the input has ended or the signal aborts. With `from: 'now'`, lines that came before the
   * call are left for another one.
   */
  next(signal: AbortSignal, from?: 'now'): Promise<string | undefined>;
  close(): void;
}

/** Reads lines. Those that come while nobody asks are kept. Only one call of `next` may wait at a time. */
export function openLines(input: Readable): LineReader {
  const reader = createInterface({ input, terminal: false });
  const waiting: string[] = [];
  let isClosed = false;
  let wake: (() => void) | undefined;
  reader.on('line', (line) => {
    waiting.push(line);
    wake?.();
  });
  reader.on('close', () => {
    isClosed = true;
    wake?.();
  });
  return {
    async next(signal, from) {
      const first = from === 'now' ? waiting.length : 0;
      const onAbort = () => wake?.();
      signal.addEventListener('abort', onAbort, { once: true });
      while (waiting.length <= first && !isClosed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      signal.removeEventListener('abort', onAbort);
      return signal.aborted ? undefined : waiting.splice(first, 1)[0];
    },
    close: () => reader.close(),
  };
}
