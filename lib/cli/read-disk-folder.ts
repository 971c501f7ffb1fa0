import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeFile } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { isLeftOut } from '@/lib/cards/left-out';

const maxFiles = 10_000;
const maxFileBytes = 10 * 1024 * 1024;

/**
 * Reads a folder from disk, symbolic links and what is never part of a project (`node_modules`, `.git`, …) left out. A file over 10 MiB is
 * kept as an empty binary: nothing in it could be a card. Throws with a sentence when the folder cannot be read or has
 * more than 10,000 files.
 */
export async function readDiskFolder(root: string): Promise<Folder> {
  const files = new Map<string, FolderFile>();
  const waiting = [''];
  for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
    const entries = await readdir(path.join(root, directory), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const name = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isLeftOut(name, entry.isDirectory())) continue;
      if (entry.isDirectory()) waiting.push(name);
      if (entry.isFile()) files.set(name, await readOne(path.join(root, name)));
    }
    if (files.size > maxFiles) throw new Error(`${root} has more than ${maxFiles} files. Name the card folder itself.`);
  }
  return files;
}

async function readOne(file: string): Promise<FolderFile> {
  if ((await stat(file)).size > maxFileBytes) return { kind: 'binary', bytes: new Uint8Array() };
  return decodeFile(await readFile(file));
}
