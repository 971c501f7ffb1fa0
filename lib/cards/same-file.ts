import type { FolderFile } from './folder';

/** True if both have the same content. Files that are not text are compared by their hash. */
export function sameFile(a: FolderFile | undefined, b: FolderFile | undefined): boolean {
  if (a === b) return true;
  if (a?.kind === 'stored' && b?.kind === 'stored') return a.hash === b.hash;
  return a?.kind === 'text' && b?.kind === 'text' && a.text === b.text;
}
