import { AppError } from '@/lib/base/app-error';
import { checkPath, decodeFile, findPathClash } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { isProjectRoot } from '@/lib/cards/project-root';

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

/**
 * Removes the single top folder that many archives have (`repo-main/…`), but only if its content clearly is a project's
 * root. Returns the name of the removed folder too, because it is a good name for the project.
 */
export function unwrapFolder(folder: Folder): { readonly folder: Folder; readonly wrapper: string | undefined } {
  const paths = [...folder.keys()];
  const first = paths[0];
  const slash = first?.indexOf('/') ?? -1;
  if (first === undefined || slash === -1) return { folder, wrapper: undefined };
  const wrapper = first.slice(0, slash);
  const inside = (path: string) => path.slice(slash + 1);
  const wrapped = paths.every((path) => path.startsWith(`${wrapper}/`));
  if (!wrapped || isProjectRoot([wrapper]) || !isProjectRoot(paths.map((path) => inside(path).replace(/\/.*$/s, '')))) {
    return { folder, wrapper: undefined };
  }
  return { folder: new Map([...folder].map(([path, file]) => [inside(path), file])), wrapper };
}
