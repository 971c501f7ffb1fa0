import type { Folder, FolderFile } from '@/lib/cards/folder';
import { sameFile } from '@/lib/cards/same-file';

/** Files that change together. `undefined` removes the file. */
export type FileChanges = ReadonlyMap<string, FolderFile | undefined>;

/** One undo step: the changed files before and after. Undo swaps the files and needs no knowledge of the operation. */
export interface EditStep {
  readonly label: string;
  readonly before: FileChanges;
  readonly after: FileChanges;
  readonly burst: Burst | undefined;
}

/**
 * Identifies a typing burst. Edits with the same key in quick succession are one step, so that a typed word is one undo.
 */
export interface Burst {
  readonly key: string;
  /** Milliseconds from any fixed origin. */
  readonly at: number;
}

export interface EditedDocument {
  readonly folder: Folder;
  readonly past: readonly EditStep[];
  readonly future: readonly EditStep[];
}

/** A pause longer than this ends a typing burst. */
const burstPauseMs = 900;
const stepsKept = 500;

export function openDocument(folder: Folder): EditedDocument {
  return { folder, past: [], future: [] };
}

/** Applies a change as one undo step, or as part of the last one when both belong to the same burst. */
export function applyEdit(
  doc: EditedDocument,
  changes: FileChanges,
  step: { readonly label: string; readonly burst?: Burst },
): EditedDocument {
  const real = new Map([...changes].filter(([path, file]) => !sameFile(doc.folder.get(path), file)));
  if (real.size === 0) return doc;
  const before = filesAt(doc.folder, real.keys());
  const folder = withChanges(doc.folder, real);
  const last = doc.past.at(-1);
  if (last !== undefined && doc.future.length === 0 && continues(last.burst, step.burst)) {
    const merged: EditStep = {
      label: last.label,
      before: new Map([...before, ...last.before]),
      after: new Map([...last.after, ...real]),
      burst: step.burst,
    };
    return { folder, past: [...doc.past.slice(0, -1), merged], future: [] };
  }
  const next: EditStep = { label: step.label, before, after: real, burst: step.burst };
  return { folder, past: [...doc.past.slice(-stepsKept + 1), next], future: [] };
}

export function undoEdit(doc: EditedDocument): EditedDocument {
  const step = doc.past.at(-1);
  if (step === undefined) return doc;
  return {
    folder: withChanges(doc.folder, step.before),
    past: doc.past.slice(0, -1),
    future: [...doc.future, { ...step, burst: undefined }],
  };
}

export function redoEdit(doc: EditedDocument): EditedDocument {
  const step = doc.future.at(-1);
  if (step === undefined) return doc;
  return {
    folder: withChanges(doc.folder, step.after),
    past: [...doc.past, step],
    future: doc.future.slice(0, -1),
  };
}

/**
 * Puts the document on a folder that was also changed elsewhere. A step stays only if undo or redo reaches it without
 * touching a file that has another content now, so that undo never takes back what somebody else wrote.
 */
export function moveDocument(doc: EditedDocument, folder: Folder): EditedDocument {
  const past = reachable(folder, doc.past, ({ before, after }) => ({ from: after, to: before }));
  const future = reachable(folder, doc.future, ({ before, after }) => ({ from: before, to: after }));
  return { folder, past, future };
}

/** Returns the last steps of a list that can be taken one after the other from `folder`, beginning with the last. */
function reachable(
  folder: Folder,
  steps: readonly EditStep[],
  swap: (step: EditStep) => { readonly from: FileChanges; readonly to: FileChanges },
): readonly EditStep[] {
  const now = new Map<string, FolderFile | undefined>();
  const at = (path: string) => (now.has(path) ? now.get(path) : folder.get(path));
  let first = steps.length;
  for (const step of [...steps].reverse()) {
    const { from, to } = swap(step);
    if (![...from].every(([path, file]) => sameFile(at(path), file))) break;
    for (const [path, file] of to) now.set(path, file);
    first--;
  }
  return first === 0 ? steps : steps.slice(first);
}

/** Returns the changes that turn `from` into `to`, sorted by path. */
export function changesBetween(from: Folder, to: Folder): FileChanges {
  const paths = [...new Set([...from.keys(), ...to.keys()])].sort();
  return new Map(paths.filter((path) => !sameFile(from.get(path), to.get(path))).map((path) => [path, to.get(path)]));
}

/** Returns the folder with the changes. Paths keep their order, and new ones go last. */
export function withChanges(folder: Folder, changes: FileChanges): Folder {
  const next = new Map(folder);
  for (const [path, file] of changes) {
    if (file === undefined) next.delete(path);
    else next.set(path, file);
  }
  return next;
}

export function textFile(text: string): FolderFile {
  return { kind: 'text', text };
}

/** Returns the text of a file, or `undefined` when there is none or it is binary. */
export function textAt(folder: Folder, path: string): string | undefined {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : undefined;
}

/** True if both have the same files with the same content. */
export function sameFolder(a: Folder, b: Folder): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [path, file] of a) if (!sameFile(file, b.get(path))) return false;
  return true;
}

function continues(last: Burst | undefined, next: Burst | undefined): boolean {
  if (last === undefined || next === undefined) return false;
  return last.key === next.key && next.at - last.at <= burstPauseMs;
}

function filesAt(folder: Folder, paths: Iterable<string>): FileChanges {
  return new Map([...paths].map((path) => [path, folder.get(path)]));
}
