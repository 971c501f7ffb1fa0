import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** With less free space, Postgres and the logs may fail at any moment. */
const scarceBytes = 32 * 1024 * 1024;

/**
 * Returns the bytes that this user may still write on the disk of `folder`, which may not exist yet. Returns `undefined` if
 * the system does not tell.
 */
export function freeBytes(folder: string): number | undefined {
  let existing = folder;
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  try {
    const { bavail, bsize } = statfsSync(existing);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/** True if the disk of `folder` has so little free space that a failure was most likely caused by it. */
export function isDiskScarce(folder: string): boolean {
  const free = freeBytes(folder);
  return free !== undefined && free < scarceBytes;
}

/** With less free space, somebody should act. */
const lowBytes = 64 * 1024 * 1024;

export type DiskState = 'ok' | 'nearly full' | 'full';

/** Returns how full a disk with so many free bytes is. One whose system does not tell is `ok`. */
export function diskState(free: number | undefined): DiskState {
  if (free === undefined || free >= lowBytes) return 'ok';
  return free < scarceBytes ? 'full' : 'nearly full';
}

/** Names the disk and the next step for the user. */
export function diskFullSentence(folder: string): string {
  const free = freeBytes(folder);
  const room = free === undefined ? '' : ` (${megabytes(free)} free)`;
  return `The disk that holds ${folder} is full${room}. Free some space on it. Then Callboard continues by itself.`;
}

export function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024).toLocaleString('en')} MB`;
}
