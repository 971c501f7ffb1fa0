import { writeSync } from 'node:fs';

/** The destination of log lines. */
export interface LineSink {
  write(line: string): void;
}

/** Writes like `writeSync`: bytes from `offset` on. Returns the number of written bytes. */
export type WriteSome = (descriptor: number, bytes: Buffer, offset: number) => number;

/**
 * Writes whole lines to a file descriptor and never fails. A line that cannot be written (full disk, closed pipe, I/O error) is
 * dropped and counted. Every later line is tried, so output continues as soon as it is possible; then `report` makes a line
 * with the number of dropped lines and the reason.
 */
export function steadyLines(
  descriptor: number,
  report: (dropped: number, code: string) => string,
  write: WriteSome = writeSync,
): LineSink {
  let dropped = 0;
  let code = '';
  /** True if the last failed line was written in part. */
  let torn = false;

  function tryWrite(text: string): boolean {
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    let written = 0;
    for (let busy = 0; written < bytes.length; ) {
      try {
        written += write(descriptor, bytes, written);
      } catch (error) {
        code = codeOf(error);
        // The pipe is full because its reader is slow.
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
 * Ignores errors of stdout and stderr: the line is lost, and the next one is tried. Without a listener, such an error ends
 * the process, or makes it report the same error again and again.
 */
export function surviveOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
