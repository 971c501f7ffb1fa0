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
  /** The permission bits of the file. By default they are 0600: only its owner can read it. */
  readonly mode?: number;
}

/**
 * Replaces the content of `file` atomically, also across a power loss: it writes a draft in the same folder, then fsync, rename,
 * and fsync of the folder. Does nothing if the file already has this text and these permissions. Returns true if it wrote.
 * Throws the error of the file system (ENOSPC, EACCES, …) and then leaves the old content.
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

/** Makes new, renamed and removed files of a folder durable. Does nothing on systems without such a call. */
export function syncFolder(folder: string): void {
  // Windows cannot open folders; its file system journals names itself.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems do not support fsync of a folder.
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

/** Removes drafts of killed writers. The draft of a living writer is younger than a minute. */
function removeOldDrafts(file: string): void {
  const prefix = `${path.basename(file)}.`;
  for (const name of readdirSync(path.dirname(file))) {
    if (!name.startsWith(prefix) || !name.endsWith('.draft')) continue;
    const draft = path.join(path.dirname(file), name);
    if (Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0) > 60_000)
      rmSync(draft, { force: true });
  }
}
