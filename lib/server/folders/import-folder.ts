import { AppError } from '@/lib/base/app-error';
import { checkPath, decodeFile, findPathClash } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';

export const maxFiles = 10_000;

/**
 * Makes a folder of imported files, byte for byte. Throws AppError `bad_request` for a path that leaves the folder, occurs
 * twice, or is both a file and a folder, and `too_large` for too many files.
 */
export function folderFromFiles(files: Iterable<readonly [path: string, bytes: Uint8Array]>): Folder {
  const folder = new Map<string, FolderFile>();
  for (const [path, bytes] of files) {
    const fault = checkPath(path);
    if (fault) throw new AppError('bad_request', fault.message);
    if (folder.has(path)) throw new AppError('bad_request', `The file "${path}" comes twice. Send it once.`);
    if (folder.size >= maxFiles) {
      throw new AppError('too_large', `The folder has more than ${maxFiles} files. Leave out what is not part of it.`);
    }
    folder.set(path, decodeFile(bytes));
  }
  const clash = findPathClash(folder.keys());
  if (clash !== undefined) throw new AppError('bad_request', `"${clash}" is both a file and a folder. Rename one.`);
  return folder;
}
