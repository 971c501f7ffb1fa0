import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * One Callboard per data folder: two would each start a database on the same files. Returns the process that has it, or
 * undefined when it is ours now. Throws what the file system says when the folder cannot be made or written.
 */
export function lockDataFolder(dataFolder: string): number | undefined {
  makeFolder(dataFolder);
  const holder = lockHolder(dataFolder);
  if (holder !== undefined && holder !== process.pid && isCallboard(holder)) return holder;
  writeFileSync(lockFile(dataFolder), String(process.pid));
  return undefined;
}

export function unlockDataFolder(dataFolder: string): void {
  if (lockHolder(dataFolder) === process.pid) rmSync(lockFile(dataFolder), { force: true });
}

/** The process that wrote the lock, alive or not. */
export function lockHolder(dataFolder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(lockFile(dataFolder), 'utf8'), 10);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Numbers are used again: after a crash another program may have the one in the file. */
function isCallboard(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('callboard');
  } catch {
    return false;
  }
}

/** Step by step: Node's own `recursive` never returns where making a folder fails with ENOENT, as it does in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

function lockFile(dataFolder: string): string {
  return path.join(dataFolder, 'callboard.pid');
}
