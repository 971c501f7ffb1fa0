import type { Folder } from '@/lib/cards/folder';
import { changesBetween, sameFile, withChanges } from './document';

export interface Rebased {
  readonly folder: Folder;
  /** Files that both sides changed, to different contents, sorted by path. Saving would keep mine and lose theirs. */
  readonly clashes: readonly string[];
  /** Files that only the other side changed, sorted by path. Their content is taken. */
  readonly taken: readonly string[];
}

/**
 * Puts my changes on top of a newer version, file by file.
 *
 *   base ──mine──▶ mine
 *     └───theirs─▶ theirs ──my changed files──▶ result
 */
export function rebase(base: Folder, mine: Folder, theirs: Folder): Rebased {
  const myChanges = changesBetween(base, mine);
  const theirChanges = changesBetween(base, theirs);
  const clashes = [...theirChanges.keys()].filter(
    (path) => myChanges.has(path) && !sameFile(mine.get(path), theirs.get(path)),
  );
  return {
    folder: withChanges(theirs, myChanges),
    clashes,
    taken: [...theirChanges.keys()].filter((path) => !myChanges.has(path)),
  };
}
