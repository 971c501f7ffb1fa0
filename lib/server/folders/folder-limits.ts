import { AppError } from '@/lib/base/app-error';
import { checkPath, encodeFile } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { maxFiles } from './import-folder';

/** The limits of one project. */
export const folderLimits = {
  files: maxFiles,
  fileBytes: 10 * 1024 * 1024,
  totalBytes: 50 * 1024 * 1024,
  /** Of uploads that no save has named yet. */
  waitingBytes: 200 * 1024 * 1024,
};

/** The limits of what one push brings. `packBytes` is what is sent, the others what it unpacks to. */
export const packLimits = {
  packBytes: 50 * 1024 * 1024,
  objects: 50_000,
  objectBytes: folderLimits.fileBytes,
  totalBytes: 4 * folderLimits.totalBytes,
  commits: 500,
};

/** Checks the limits. Throws AppError `bad_request` or `too_large` when the folder cannot be stored. */
export function checkFolder(folder: Folder): void {
  if (folder.size > folderLimits.files) {
    throw new AppError('too_large', `The folder has ${folder.size} files; at most ${folderLimits.files} are kept.`);
  }
  let total = 0;
  for (const [path, file] of folder) {
    checkFilePath(path);
    total += checkFileSize(path, file);
  }
  if (total > folderLimits.totalBytes) throw tooLargeFolder();
}

export function checkFilePath(path: string): void {
  const fault = checkPath(path);
  if (fault !== undefined) throw new AppError('bad_request', fault.message);
  if (/\p{Surrogate}/u.test(path)) {
    throw new AppError('bad_request', `The path ${JSON.stringify(path)} holds half a character. Rename the file.`);
  }
}

/** Returns the size of the file in bytes. */
export function checkFileSize(path: string, file: FolderFile): number {
  const size = encodeFile(file).length;
  if (size > folderLimits.fileBytes) throw tooLargeFile(path);
  return size;
}

export function tooLargeFile(path: string): AppError {
  return new AppError('too_large', `"${path}" is larger than ${megabytes(folderLimits.fileBytes)}. Leave it out.`);
}

export function tooLargeFolder(): AppError {
  const limit = megabytes(folderLimits.totalBytes);
  return new AppError('too_large', `The files are larger than ${limit} together. Leave some out.`);
}

function megabytes(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}
