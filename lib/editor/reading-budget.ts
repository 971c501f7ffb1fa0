import type { Folder, FolderFile } from '@/lib/cards/folder';

/**
 * Reading is linear in the text for all that anybody writes, about 20 MB a second: this much takes a frame or two. More is
 * tried in a thread of its own first, for the page cannot be used while it reads.
 */
const changedAtOnce = 64 * 1024;
/** A project that is opened is read before there is anything to use. */
const openedAtOnce = 512 * 1024;
/** A file that was read with this much less or more in it is read again: typing in a long file stays immediate. */
const smallEdit = 2_000;

/** True if the page may read `folder` itself. `read` was read before; undefined: nothing was. Sizes are in characters. */
export function mayReadAtOnce(folder: Folder, read: Folder | undefined): boolean {
  if (read === undefined) return changedText(folder, new Map()) <= openedAtOnce;
  return changedText(folder, read) <= changedAtOnce;
}

function changedText(folder: Folder, read: Folder): number {
  let sum = 0;
  for (const [path, file] of folder) {
    const before = read.get(path);
    if (file === before) continue;
    const length = lengthOf(file);
    if (before !== undefined && Math.abs(lengthOf(before) - length) <= smallEdit) continue;
    sum += length;
  }
  return sum;
}

function lengthOf(file: FolderFile): number {
  return file.kind === 'text' ? file.text.length : 0;
}
