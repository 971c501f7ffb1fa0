import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseWithDigits } from '@/lib/base/exact-json';
import type { Json } from '@/lib/base/json';
import { megabytes } from '@/lib/server/disk-space';

/** A file that a command reads whole may be at most this long. */
export const mostFileBytes = 256 * 1024 * 1024;

/**
 * Reads a text file that somebody named. Throws an Error with a sentence for a folder and for a file over `mostBytes`, and the error of
 * the file system when it cannot be read.
 */
export async function readText(file: string, mostBytes: number = mostFileBytes): Promise<string> {
  const handle = await open(file);
  try {
    const found = await handle.stat();
    if (found.isDirectory()) throw new Error(`'${file}' is a folder. Name a file.`);
    if (found.size > mostBytes) {
      throw new Error(
        `'${file}' has ${megabytes(found.size)}, and at most ${megabytes(mostBytes)} are read. Name a smaller file.`,
      );
    }
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** Reads a JSON file, or stdin for `-`. Throws as `readText` does, and an Error with a sentence for text that is not JSON. */
export async function readJsonFile(file: string, mostBytes?: number): Promise<Json> {
  const value = parseWithDigits(file === '-' ? await text(process.stdin) : await readText(file, mostBytes));
  if (value !== undefined) return value;
  const name = file === '-' ? 'The text from stdin' : `'${file}'`;
  throw new Error(
    `${name} is not JSON, or has a number that is too large. Check it for a missing quote, bracket or comma.`,
  );
}
