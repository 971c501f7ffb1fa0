import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';

const maxLogBytes = 20 * 1024 * 1024;

/**
 * Opens a log file for a child process, in append mode. The caller closes the descriptor. A large file is renamed, and only
 * one earlier file is kept. A log must never prevent a start, so on a full disk, or if the log cannot be written, the child
 * gets a descriptor that discards its output.
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
    // The file keeps growing until it can be renamed.
  }
}
