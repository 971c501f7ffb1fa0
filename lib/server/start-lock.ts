import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { createWhole } from './create-whole';
import { identify, type ProcessIdentity, stillLives } from './process-identity';

/**
 * Allows one Callboard per data folder: two would start two databases on the same files.
 *
 *   <data>/lock/7   {"pid": 4711, "born": "…"}   the file with the highest number is the lock
 *
 * A lock is free if its process has ended, or if it is empty or unreadable. A process that finds lock n free creates n + 1.
 * Only one process succeeds, because the complete file appears atomically under a new name. It then lists the folder again: if
 * there is a higher number, another process was faster and holds the lock. The highest number is never removed, only emptied,
 * so a slow process can never create a number that is the highest.
 */

/**
 * Takes the lock. Returns the id of the process that holds it, or `undefined` if this process has it now. Throws the error of
 * the file system when the folder cannot be made or written.
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

/** Releases the lock if this process holds it. */
export function unlockDataFolder(dataFolder: string): void {
  const folder = lockFolder(dataFolder);
  const newest = newestNumber(folder);
  if (readLock(folder, newest)?.pid === process.pid) truncateSync(path.join(folder, String(newest)), 0);
}

/** Returns the process that took the lock and has not released it. It may have ended. */
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

/** Returns the highest number, or 0 if there was never a lock. */
function newestNumber(folder: string): number {
  return Math.max(0, ...namesIn(folder).filter(isNumber).map(Number));
}

/** True for at most 15 digits, which JavaScript represents exactly. */
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

/** Removes earlier locks, and drafts of killed processes. If a living process loses its draft, it tries again. */
function removeWhatIsOver(folder: string, ours: number): void {
  for (const name of namesIn(folder)) {
    const over = isNumber(name) ? Number(name) < ours : name.endsWith('.draft');
    if (over) rmSync(path.join(folder, name), { force: true, recursive: true });
  }
}

/**
 * Creates folders one by one, because Node's `recursive` option never returns if creating a folder fails with ENOENT, as in
 * /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

function lockFolder(dataFolder: string): string {
  return path.join(dataFolder, 'lock');
}
