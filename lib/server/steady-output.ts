import { writeSync } from 'node:fs';

/** Where a log's lines go. */
export interface LineSink {
  write(line: string): void;
}

/** As `writeSync`: writes bytes from `offset` on, and returns how many it wrote. */
export type WriteSome = (descriptor: number, bytes: Buffer, offset: number) => number;

/**
 * Writes whole lines to a file descriptor and never fails: what cannot be written now (disk full, reader gone, input/output
 * error) is dropped and counted. Every line is tried, so lines arrive again as soon as there is room; `report` then makes a
 * line that says how many are missing and why.
 */
export function steadyLines(
  descriptor: number,
  report: (dropped: number, code: string) => string,
  write: WriteSome = writeSync,
): LineSink {
  let dropped = 0;
  let code = '';
  /** The last line that failed was cut in the middle. */
  let torn = false;

  function tryWrite(text: string): boolean {
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    let written = 0;
    for (let busy = 0; written < bytes.length; ) {
      try {
        written += write(descriptor, bytes, written);
      } catch (error) {
        code = codeOf(error);
        // A full pipe: its reader is only slow.
        if (code === 'EAGAIN' && busy < longestWaitMs / waitMs) {
          busy += 1;
          Atomics.wait(pause, 0, 0, waitMs);
          continue;
        }
        torn = written > 0 || torn;
        return false;
      }
    }
    torn = false;
    return true;
  }

  return {
    write(line) {
      if (dropped > 0) {
        if (!tryWrite(report(dropped, code))) {
          dropped += 1;
          return;
        }
        dropped = 0;
      }
      if (!tryWrite(line)) dropped += 1;
    },
  };
}

const waitMs = 5;
const longestWaitMs = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Without a listener, a line that `console` or `process.stdout` cannot write ends the process, or keeps it busy with
 * reporting that very error. The line is lost; the next one is tried.
 */
export function surviveOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
