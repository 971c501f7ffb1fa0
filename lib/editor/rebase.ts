import type { Folder, FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';
import { changesBetween, withChanges } from './document';
import type { Draft } from './draft';
import { fileMark } from './file-mark';
import { mergeFile } from './merge-file';
import { alignMoves, type MovedFile, type Sides } from './moved-files';
import type { SavedVersion } from './project-state';

export interface Rebased {
  /** What both sides wrote. Of a file in `clashes` it has mine. */
  readonly folder: Folder;
  /** Files that both sides changed, where a person must choose, sorted by path. */
  readonly clashes: readonly string[];
  /** Files that only the other side changed, sorted by path. Their content is taken. */
  readonly taken: readonly string[];
  /** Files that both sides changed in different places, sorted by path. They have both changes. */
  readonly merged: readonly string[];
  /** Files that one side renamed while the other one changed them. They have the new name on all `sides`. */
  readonly moved: readonly MovedFile[];
  readonly sides: Sides;
}

/**
 * Puts my changes on top of a newer version, file by file, and within a file line by line.
 *
 *   base ──mine──▶ mine
 *     └───theirs─▶ theirs ──my changes──▶ result
 */
export function rebase(base: Folder, mine: Folder, theirs: Folder): Rebased {
  const { moved, ...sides } = alignMoves({ base, mine, theirs });
  const myChanges = new Map(changesBetween(sides.base, sides.mine));
  const theirChanges = changesBetween(sides.base, sides.theirs);
  const clashes: string[] = [];
  const merged: string[] = [];
  for (const [path, theirFile] of theirChanges) {
    const myFile = sides.mine.get(path);
    if (!myChanges.has(path) || sameFile(myFile, theirFile)) continue;
    const both = mergeFile(path, sides.base.get(path), myFile, theirFile);
    if (both === undefined) clashes.push(path);
    else {
      myChanges.set(path, both);
      merged.push(path);
    }
  }
  return {
    folder: withChanges(sides.theirs, myChanges),
    clashes,
    taken: [...theirChanges.keys()].filter((path) => !myChanges.has(path)),
    merged,
    moved,
    sides,
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

/** Stands for a content that is not known. It differs from every file, and nothing is merged with it. */
const unknown: FolderFile = { kind: 'stored', hash: '', size: 0 };

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
