import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeFile, fileSize } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { isLeftOut } from '@/lib/cards/left-out';
import { folderLimits } from '@/lib/server/folders/folder-limits';

const bytesOfMB = 1024 * 1024;

/**
 * Reads a folder from disk, without symbolic links and folders of tools (`node_modules`, `.git`, …). A file over 10 MiB
 * becomes an empty binary file, because it cannot be a card. Throws an Error with a sentence when the folder cannot be read
 * or exceeds the limits of a project. With `inside`, a folder in it, only the files of that folder are read, under the same paths.
 */
export async function readDiskFolder(root: string, inside = ''): Promise<Folder> {
  const files = new Map<string, FolderFile>();
  const waiting = [inside];
  let total = 0;
  for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
    const entries = await readdir(path.join(root, directory), { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const name = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (isLeftOut(name, entry.isDirectory())) continue;
      if (entry.isDirectory()) waiting.push(name);
      if (!entry.isFile()) continue;
      const file = await readOne(path.join(root, name));
      files.set(name, file);
      total += fileSize(file);
      if (total > folderLimits.totalBytes) throw beyond(root, `${folderLimits.totalBytes / bytesOfMB} MB in its files`);
      if (files.size > folderLimits.files) throw beyond(root, `${folderLimits.files} files`);
    }
  }
  return files;
}

async function readOne(file: string): Promise<FolderFile> {
  if ((await stat(file)).size > folderLimits.fileBytes) return { kind: 'binary', bytes: new Uint8Array() };
  return decodeFile(await readFile(file));
}

function beyond(root: string, limit: string): Error {
  return new Error(
    `${root} has more than ${limit}, the most of a project. Name the card folder itself, or move data elsewhere.`,
  );
}
