import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

export interface SafeFileOptions {
  /** Permission bits of the file. Default 0600: only its owner reads it. */
  readonly mode?: number;
}

/**
 * Replaces the whole content of `file` so that a reader, or a machine that loses power, sees the old content or the new one
 * and nothing between: draft beside it, fsync, rename, fsync of the folder. Does nothing when the file holds `text` with
 * these permissions already. Returns true when it wrote. Throws what the file system says (ENOSPC, EACCES, …); the old
 * content is intact then.
 */
export function writeFileSafely(file: string, text: string, { mode = 0o600 }: SafeFileOptions = {}): boolean {
  if (holds(file, text, mode)) return false;
  const folder = path.dirname(file);
  removeOldDrafts(file);
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.draft`;
  try {
    const descriptor = openSync(draft, 'wx', mode);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(folder);
  return true;
}

/** Makes the names in a folder durable: files that were made, renamed or removed there. A no-op where a system has no such call. */
export function syncFolder(folder: string): void {
  // Windows opens no folders; its file system journals names by itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems refuse fsync of a folder.
    if (!(error instanceof Error && 'code' in error && (error.code === 'EINVAL' || error.code === 'ENOTSUP')))
      throw error;
  } finally {
    closeSync(descriptor);
  }
}

function holds(file: string, text: string, mode: number): boolean {
  try {
    if (readFileSync(file, 'utf8') !== text) return false;
    return process.platform === 'win32' || (statSync(file).mode & 0o777) === mode;
  } catch {
    return false;
  }
}

/** Those of writers that were killed. A draft of a living writer is younger than a minute. */
function removeOldDrafts(file: string): void {
  const prefix = `${path.basename(file)}.`;
  for (const name of readdirSync(path.dirname(file))) {
    if (!name.startsWith(prefix) || !name.endsWith('.draft')) continue;
    const draft = path.join(path.dirname(file), name);
    if (Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 60_000)
      rmSync(draft, { force: true });
  }
}
