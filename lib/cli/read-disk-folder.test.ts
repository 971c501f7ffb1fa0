import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readDiskFolder } from './read-disk-folder';

const root = mkdtempSync(path.join(tmpdir(), 'callboard-disk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder with `count` files of so many bytes each. */
function folderWith(name: string, count: number, bytes: number): string {
  const folder = path.join(root, name);
  mkdirSync(folder);
  for (let index = 0; index < count; index++) {
    const file = path.join(folder, `${index}.bin`);
    writeFileSync(file, '');
    truncateSync(file, bytes);
  }
  return folder;
}

test('a folder with more files or bytes than a project may have is refused by name', async () => {
  const limits = 'the most of a project. Name the card folder itself, or move data elsewhere.';
  const large = folderWith('large', 6, 9 * 1024 * 1024);
  await expect(readDiskFolder(large)).rejects.toThrow(`${large} has more than 50 MB in its files, ${limits}`);
  const many = folderWith('many', 10_001, 0);
  await expect(readDiskFolder(many)).rejects.toThrow(`${many} has more than 10000 files, ${limits}`);
});

test('what a project may have is read, and a file that is too large for one is empty', async () => {
  const folder = folderWith('fine', 5, 9 * 1024 * 1024);
  truncateSync(path.join(folder, '0.bin'), 10 * 1024 * 1024 + 1);
  const read = await readDiskFolder(folder);
  expect(read.size).toBe(5);
  expect(read.get('0.bin')).toEqual({ kind: 'binary', bytes: new Uint8Array() });
});
