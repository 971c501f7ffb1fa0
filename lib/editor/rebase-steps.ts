import type { FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';
import { type EditedDocument, type EditStep, type FileChanges, moveDocument } from './document';
import { mergeFile } from './merge-file';
import type { Rebased } from './rebase';

/** Older steps are dropped when a file was merged, because each of their contents is merged again. */
const mostSteps = 100;

/**
 * Puts a document on what others saved. In a file with changes of both sides, each step of undo gets their changes too, so
 * that undo takes back only what this person wrote. Steps that cannot be taken so are dropped, with all before them.
 */
export function rebaseDocument(doc: EditedDocument, rebased: Rebased): EditedDocument {
  const { folder, merged, moved } = rebased;
  if (merged.length === 0 && moved.length === 0) return moveDocument(doc, folder);
  const step = stepMover(rebased);
  return moveDocument({ folder: doc.folder, past: movable(doc.past, step), future: movable(doc.future, step) }, folder);
}

type MoveStep = (step: EditStep) => EditStep | undefined;

/** Returns the last steps, moved, up to the first that cannot be. Steps that change nothing any more are left out. */
function movable(steps: readonly EditStep[], move: MoveStep): readonly EditStep[] {
  const kept: EditStep[] = [];
  for (const step of steps.slice(-mostSteps).reverse()) {
    const moved = move(step);
    if (moved === undefined) break;
    if (moved.after.size > 0) kept.push(moved);
  }
  return kept.reverse();
}

function stepMover({ sides, merged, moved }: Rebased): MoveStep {
  const names = new Map(moved.filter(({ by }) => by === 'theirs').map(({ from, to }) => [from, to]));
  const both = new Set(merged);
  const known = new Map<FolderFile, FolderFile | undefined>();

  /** Returns a content with their changes, or `undefined` if both do not fit. */
  function withTheirs(path: string, file: FolderFile | undefined): FolderFile | undefined {
    if (file === undefined) return undefined;
    const before = known.get(file);
    if (before !== undefined) return before;
    const now = mergeFile(path, sides.base.get(path), file, sides.theirs.get(path));
    known.set(file, now);
    return now;
  }

  return (step) => {
    const before = new Map<string, FolderFile | undefined>();
    const after = new Map<string, FolderFile | undefined>();
    for (const [old, file] of step.after) {
      const path = names.get(old) ?? old;
      const from = step.before.get(old);
      const pair = both.has(path) ? [withTheirs(path, from), withTheirs(path, file)] : [from, file];
      if (both.has(path) && pair.includes(undefined)) return undefined;
      if (sameFile(pair[0], pair[1])) continue;
      before.set(path, pair[0]);
      after.set(path, pair[1]);
    }
    return { ...step, before: before satisfies FileChanges, after, burst: undefined };
  };
}
