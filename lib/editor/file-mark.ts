import type { FolderFile } from '@/lib/cards/folder';

const known = new WeakMap<FolderFile, string>();

/**
 * Returns a short mark of a content, to tell whether a file is still the same. Equal files have equal marks. It is no
 * protection against somebody who looks for two texts with one mark.
 */
export function fileMark(file: FolderFile | undefined): string {
  if (file === undefined) return 'none';
  const mark = known.get(file) ?? markOf(file);
  known.set(file, mark);
  return mark;
}

function markOf(file: FolderFile): string {
  if (file.kind === 'stored') return file.hash;
  return file.kind === 'text' ? `${file.text.length}-${hashOf(file.text)}` : 'binary';
}

/** FNV-1a over UTF-16 units, in two halves of 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ ((unit << 7) | (unit >>> 9)), 0x01000193);
  }
  return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}
