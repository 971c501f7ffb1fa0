import type { Folder, FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';

/** Files that keep at least this share of their lines under a new name are renamed, not removed and added. */
const leastAlike = 0.5;
/** More removed and added files than this are compared only byte for byte. */
const mostCompared = 400;

/** A file that one side renamed while the other one changed it, or that both renamed to the same name. */
export interface MovedFile {
  readonly from: string;
  readonly to: string;
  readonly by: 'mine' | 'theirs' | 'both';
}

export interface Sides {
  readonly base: Folder;
  readonly mine: Folder;
  readonly theirs: Folder;
}

/**
 * Gives a renamed file its new name on all sides, so that what the other side wrote under the old name is compared with it.
 *
 *   base  a.md          base  b.md
 *   mine  b.md    ─▶    mine  b.md
 *   theirs a.md (edited)  theirs b.md (edited)
 */
export function alignMoves(sides: Sides): Sides & { readonly moved: readonly MovedFile[] } {
  const byMe = movesBetween(sides.base, sides.mine);
  const byThem = movesBetween(sides.base, sides.theirs);
  const moved: MovedFile[] = [];
  for (const [from, to] of byMe) {
    if (byThem.get(from) === to) moved.push({ from, to, by: 'both' });
    else if (isOnlyChanged(sides.base, sides.theirs, from, to)) moved.push({ from, to, by: 'mine' });
  }
  for (const [from, to] of byThem) {
    if (isOnlyChanged(sides.base, sides.mine, from, to)) moved.push({ from, to, by: 'theirs' });
  }
  const aligned = (side: 'mine' | 'theirs', folder: Folder) =>
    moved.reduce((now, move) => (move.by === 'both' || move.by === side ? now : renamed(now, move)), folder);
  return {
    base: moved.reduce(renamed, sides.base),
    mine: aligned('mine', sides.mine),
    theirs: aligned('theirs', sides.theirs),
    moved,
  };
}

/** True if a side still has the file under its old name, with other content, and nothing under the new name. */
function isOnlyChanged(base: Folder, side: Folder, from: string, to: string): boolean {
  return side.has(from) && !sameFile(base.get(from), side.get(from)) && !side.has(to) && !base.has(to);
}

function renamed(folder: Folder, { from, to }: MovedFile): Folder {
  return new Map([...folder].map(([path, file]) => [path === from ? to : path, file]));
}

/** Returns the new names of files that were renamed. A file has one new name, and a new name is taken once. */
export function movesBetween(base: Folder, side: Folder): ReadonlyMap<string, string> {
  const removed = [...base.keys()].filter((path) => !side.has(path)).sort();
  const added = [...side.keys()].filter((path) => !base.has(path)).sort();
  const isLarge = removed.length * added.length > mostCompared;
  const pairs = removed.flatMap((from) =>
    added.map((to) => ({ from, to, alike: alike(base.get(from), side.get(to), isLarge) })),
  );
  const moves = new Map<string, string>();
  const taken = new Set<string>();
  for (const { from, to, alike } of pairs.toSorted((a, b) => b.alike - a.alike)) {
    if (alike < leastAlike || moves.has(from) || taken.has(to)) continue;
    moves.set(from, to);
    taken.add(to);
  }
  return moves;
}

/** Returns the share of lines that two files have in common, from 0 to 1. */
function alike(a: FolderFile | undefined, b: FolderFile | undefined, isExact: boolean): number {
  if (a === undefined || b === undefined) return 0;
  if (sameFile(a, b)) return a.kind === 'text' && a.text.trim() === '' ? 0 : 1;
  if (isExact || a.kind !== 'text' || b.kind !== 'text') return 0;
  const before = a.text.split('\n').filter((line) => line.trim() !== '');
  const after = b.text.split('\n').filter((line) => line.trim() !== '');
  const counts = new Map<string, number>();
  for (const line of before) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of after) {
    const left = counts.get(line) ?? 0;
    if (left === 0) continue;
    counts.set(line, left - 1);
    common += 1;
  }
  return (2 * common) / Math.max(1, before.length + after.length);
}
