import type { Folder, FolderFile } from '@/lib/cards/folder';

/**
 * This many characters may be read on the page's own thread after an edit. Reading takes time in proportion to the text,
 * about 20 MB a second, so this takes a frame or two. More text is first read in a worker, because the page is frozen while
 * it reads.
 */
const changedAtOnce = 64 * 1024;
/**
 * This many characters may be read when a project is opened. The page may be frozen for longer then, because there is
 * nothing to use yet.
 */
const openedAtOnce = 512 * 1024;
/** A file whose length changed by at most this counts as read already, so that typing in a long file stays immediate. */
const smallEdit = 2_000;

/**
 * True if the page may read `folder` on its own thread. `read` is the folder that was read last; it is `undefined` at
 * first.
 */
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
