import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';

const maxLogBytes = 20 * 1024 * 1024;

/**
 * Opens a log file for a child process, to append to; the caller closes the descriptor. One earlier file is kept, so that
 * logs stay small for ever. A log must not keep anything from running: on a disk that is full, or where the log cannot be
 * written, the child gets one that forgets what is written to it.
 */
export function openLog(file: string): number {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    rotate(file);
    return openSync(file, 'a', 0o600);
  } catch {
    return openSync(devNull, 'a');
  }
}

function rotate(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= maxLogBytes) return;
  try {
    renameSync(file, `${file}.1`);
  } catch {
    // It grows until it can be moved.
  }
}
