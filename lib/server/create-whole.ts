import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Creates a file (mode 0600) with its content. Returns false if the file already exists, or if its folder vanished meanwhile. It is
 * created as a hard link to a complete file, so it is never seen incomplete. Throws the error of the file system when nothing can
 * be written there.
 */
export function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.draft`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // With ENOENT another process has removed the folder, or this draft because it looked abandoned.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createWithoutLinks(file, content);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Does the same on file systems without hard links (FAT, some network folders). */
function createWithoutLinks(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
