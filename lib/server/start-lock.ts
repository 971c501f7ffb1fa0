import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { identify, type ProcessIdentity, stillLives } from './process-identity';

/**
 * One Callboard per data folder: two would each start a database on the same files.
 *
 *   <data>/lock/7   {"pid": 4711, "born": "…"}   the file with the highest number is the lock
 *
 * A lock whose process is gone, that is empty or that cannot be read is free. Whoever finds number n free creates n + 1, a
 * step that succeeds for one process only, because the file appears whole under a name that did not exist. It then looks
 * again: is there a higher number, another process was faster and holds the lock. The highest number is never removed, only
 * emptied, so a slow process cannot create a number that counts.
 */

/**
 * Takes the lock. Returns the process that has it, or undefined when it is ours now. Throws what the file system says when
 * the folder cannot be made or written.
 */
export function lockDataFolder(dataFolder: string): number | undefined {
  const folder = lockFolder(dataFolder);
  const self = identify(process.pid) ?? { pid: process.pid, born: '' };
  for (;;) {
    makeFolder(folder);
    const newest = newestNumber(folder);
    const holder = readLock(folder, newest);
    if (holder !== undefined && stillLives(holder)) return holder.pid === process.pid ? undefined : holder.pid;
    const ours = newest + 1;
    if (!createWhole(path.join(folder, String(ours)), JSON.stringify(self))) continue;
    if (newestNumber(folder) === ours) {
      removeWhatIsOver(folder, ours);
      return undefined;
    }
    rmSync(path.join(folder, String(ours)), { force: true });
  }
}

/** Gives the lock back if this process has it. */
export function unlockDataFolder(dataFolder: string): void {
  const folder = lockFolder(dataFolder);
  const newest = newestNumber(folder);
  if (readLock(folder, newest)?.pid === process.pid) truncateSync(path.join(folder, String(newest)), 0);
}

/** The process that took the lock and did not give it back, alive or not. */
export function lockHolder(dataFolder: string): ProcessIdentity | undefined {
  const folder = lockFolder(dataFolder);
  return readLock(folder, newestNumber(folder));
}

const stored = z.object({ pid: z.int().min(1), born: z.string() });

function readLock(folder: string, number: number): ProcessIdentity | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(path.join(folder, String(number)), 'utf8')));
  } catch {
    return undefined;
  }
}

/** 0 where there was never a lock. */
function newestNumber(folder: string): number {
  return Math.max(0, ...namesIn(folder).filter(isNumber).map(Number));
}

/** 15 digits: a number that JavaScript counts exactly. */
function isNumber(name: string): boolean {
  return /^[1-9]\d{0,14}$/.test(name);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** False when the file exists already. Nobody ever sees it half-written: it is a second name of a file that is complete. */
function createWhole(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.draft`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // ENOENT: somebody removed the lock folder, or took our draft for one that was left behind.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return createWithoutLinks(file, content);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Where a file cannot have two names (FAT, some network folders). */
function createWithoutLinks(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Earlier locks, and drafts of processes that were killed. A removed draft only makes a living process try again. */
function removeWhatIsOver(folder: string, ours: number): void {
  for (const name of namesIn(folder)) {
    const over = isNumber(name) ? Number(name) < ours : name.endsWith('.draft');
    if (over) rmSync(path.join(folder, name), { force: true, recursive: true });
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

function lockFolder(dataFolder: string): string {
  return path.join(dataFolder, 'lock');
}
