import { readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { z } from 'zod';
import { AppError } from '@/lib/base/app-error';
import { createWhole } from '@/lib/server/create-whole';
import { identify, stillLives } from '@/lib/server/process-identity';
import { writeFileSafely } from '@/lib/server/write-file-safely';

/**
 * Lets one process at a time work with a file.
 *
 *   <file>.lock            who holds the file: process, its start, machine
 *   <file>.lock.takeover   held while somebody replaces a lock whose process has ended
 *
 * A process that dies leaves its lock. The next process on the same machine sees that the holder has ended and replaces the lock.
 * It holds the lock of the takeover meanwhile and reads the lock once more, so that it never replaces the lock of a living process.
 * Returns the function that releases the lock. Throws AppError `conflict` while another process holds it, and the error of the file
 * system when the folder cannot be written.
 */
export function lockFile(file: string): () => void {
  return take(`${file}.lock`);
}

function take(name: string): () => void {
  const own = JSON.stringify({ ...(identify(process.pid) ?? { pid: process.pid, born: '' }), host: hostname() });
  while (!createWhole(name, own)) {
    const seen = textOf(name);
    // It was released meanwhile.
    if (seen === undefined) continue;
    if (!hasEnded(seen)) throw held(name, seen);
    const leave = take(`${name}.takeover`);
    try {
      if (textOf(name) !== seen) continue;
      writeFileSafely(name, own);
      break;
    } finally {
      leave();
    }
  }
  return () => rmSync(name, { force: true });
}

const holder = z.object({ pid: z.int().min(1), born: z.string(), host: z.string() });

function readHolder(text: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** False for a process of another machine, about which nothing is known here. */
function hasEnded(text: string): boolean {
  const found = readHolder(text);
  return found !== undefined && found.host === hostname() && !stillLives(found);
}

function held(name: string, text: string): AppError {
  const found = readHolder(text);
  const who = found === undefined ? '' : ` (process ${found.pid} on ${found.host})`;
  return new AppError(
    'conflict',
    `Another call goes on with this run${who}. Wait for its end. If there is none, remove ${name}.`,
  );
}

function textOf(name: string): string | undefined {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
