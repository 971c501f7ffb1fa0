import type { Folder, FolderFile } from '@/lib/cards/folder';
import { changesBetween, sameFile, textFile, withChanges } from './document';
import type { Draft } from './draft';
import { fileMark } from './file-mark';
import type { SavedVersion } from './project-state';

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

/**
 * Returns the base of a merge after requests that got no answer. Files that are saved as one of those requests sent them
 * are my own work, not that of others.
 */
export function acceptSent(base: Folder, sent: readonly Folder[], theirs: Folder): Folder {
  const isMine = (path: string, file: FolderFile | undefined) => sent.some((one) => sameFile(one.get(path), file));
  const mine = [...changesBetween(base, theirs)].filter(([path, file]) => isMine(path, file));
  return withChanges(base, new Map(mine));
}

/** Stands for a content that is not known. It differs from every file. */
const unknown: FolderFile = textFile('\0 not known');

/**
 * Returns the folder on which a draft was made, as far as its marks tell. Where the saved file is neither the one that the
 * draft was made on nor one that was sent from there, the content is not known.
 */
export function draftBase(draft: Draft, saved: SavedVersion): Folder {
  if (draft.baseVersion === saved.version) return saved.folder;
  const changed = [...draft.changes.keys()].filter(
    (path) => !(draft.marks.get(path) ?? []).includes(fileMark(saved.folder.get(path))),
  );
  return withChanges(saved.folder, new Map(changed.map((path) => [path, unknown])));
}
