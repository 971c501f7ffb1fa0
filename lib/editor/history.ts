import { isRecord } from '@/lib/base/json';
import type { FolderFile } from '@/lib/cards/folder';
import {
  applyEdit,
  changesBetween,
  type EditedDocument,
  type EditStep,
  type FileChanges,
  moveDocument,
  textFile,
  withChanges,
} from './document';
import type { Draft } from './draft';
import type { SavedVersion } from './project-state';

/**
 * The steps of undo and redo, as a browser keeps them for a project, so that they survive a reload.
 *
 *   document ──keptHistory──▶ plain data in the browser's database ──readHistory──▶ steps ──withHistory──▶ document
 *
 * Plain data names each content once: steps that follow each other share most of them.
 */
export interface History {
  /** The saved version and the unsaved changes on top of it, when the steps were kept. */
  readonly version: number;
  readonly unsaved: FileChanges;
  readonly past: readonly EditStep[];
  readonly future: readonly EditStep[];
}

export interface HistoryLimits {
  readonly steps: number;
  /** UTF-16 units of all contents together. */
  readonly characters: number;
}

export const historyLimits: HistoryLimits = { steps: 200, characters: 1_000_000 };

/** The content of a file: its text, the hash and size of one that is not text, or `null` when there is no file. */
type Content = string | { readonly hash: string; readonly size: number } | null;
/** Paths with the indices of their contents. */
type Places = readonly (readonly [path: string, content: number])[];

export interface KeptHistory {
  readonly format: 1;
  readonly version: number;
  readonly contents: readonly Content[];
  readonly unsaved: Places;
  readonly past: readonly KeptStep[];
  readonly future: readonly KeptStep[];
}

interface KeptStep {
  readonly label: string;
  readonly before: Places;
  readonly after: Places;
}

/** Returns the steps as plain data. The oldest are left out when they are more than the limits allow. */
export function keptHistory(
  { version, unsaved, past, future }: History,
  limits: HistoryLimits = historyLimits,
): KeptHistory {
  const contents: Content[] = [];
  const places = new Map<FolderFile | undefined, number>();
  let room = limits.characters;

  function place(changes: FileChanges): Places {
    return [...changes].map(([path, file]) => {
      const at = places.get(file) ?? contents.push(contentOf(file)) - 1;
      places.set(file, at);
      return [path, at];
    });
  }

  /** Takes the last steps for which there is room. */
  function take(steps: readonly EditStep[]): KeptStep[] {
    const taken: KeptStep[] = [];
    for (const { label, before, after } of steps.slice(-limits.steps).reverse()) {
      const files = new Set([...before.values(), ...after.values()]);
      for (const file of files) if (file?.kind === 'text' && !places.has(file)) room -= file.text.length;
      if (room < 0) break;
      taken.push({ label, before: place(before), after: place(after) });
    }
    return taken.reverse();
  }

  const base = place(unsaved);
  const kept = { past: take(past), future: take(future) };
  return { format: 1, version, contents, unsaved: base, ...kept };
}

/** Reads what `keptHistory` wrote. Returns `undefined` for anything else, also for what another version of the app wrote. */
export function readHistory(value: unknown): History | undefined {
  if (!isRecord(value) || value.format !== 1 || typeof value.version !== 'number') return undefined;
  if (!Array.isArray(value.contents)) return undefined;
  // Each content becomes one object, so that equal files are compared at once.
  const files = value.contents.map(fileOf);
  const unsaved = readPlaces(value.unsaved, files);
  const past = readSteps(value.past, files);
  const future = readSteps(value.future, files);
  if (unsaved === undefined || past === undefined || future === undefined) return undefined;
  return { version: value.version, unsaved, past, future };
}

/**
 * Puts the kept steps under those of a document that was just opened, and shows the draft if there is one. Only steps stay
 * that lead to the files as they are then (`moveDocument`). If the draft is newer than the steps, it becomes a step of its
 * own on top of them.
 */
export function withHistory(
  doc: EditedDocument,
  saved: SavedVersion,
  history: History,
  draft: Draft | undefined,
): EditedDocument {
  // Something was edited before the browser had found its records: only what leads to that stays.
  if (doc.past.length > 0) {
    return moveDocument({ folder: doc.folder, past: [...history.past, ...doc.past], future: [] }, doc.folder);
  }
  const folder = draft === undefined ? doc.folder : withChanges(doc.folder, draft.changes);
  const moved = moveDocument({ ...history, folder }, folder);
  if (moved.past.length + moved.future.length > 0) return moved;
  if (draft?.baseVersion !== saved.version || history.version !== saved.version) return doc;
  // The browser was closed after it had kept the last letters as a draft, and before it had kept them as a step.
  const left = { ...history, folder: withChanges(saved.folder, history.unsaved) };
  return applyEdit(left, changesBetween(left.folder, folder), { label: 'Type' });
}

function contentOf(file: FolderFile | undefined): Content {
  if (file?.kind === 'text') return file.text;
  return file?.kind === 'stored' ? { hash: file.hash, size: file.size } : null;
}

function fileOf(content: unknown): FolderFile | undefined {
  if (typeof content === 'string') return textFile(content);
  if (!isRecord(content) || typeof content.hash !== 'string' || typeof content.size !== 'number') return undefined;
  return { kind: 'stored', hash: content.hash, size: content.size };
}

type Files = readonly (FolderFile | undefined)[];

function readSteps(value: unknown, files: Files): readonly EditStep[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const steps: EditStep[] = [];
  for (const step of value) {
    if (!isRecord(step) || typeof step.label !== 'string') return undefined;
    const before = readPlaces(step.before, files);
    const after = readPlaces(step.after, files);
    if (before === undefined || after === undefined) return undefined;
    steps.push({ label: step.label, before, after, burst: undefined });
  }
  return steps;
}

function readPlaces(value: unknown, files: Files): FileChanges | undefined {
  if (!Array.isArray(value)) return undefined;
  const changes = new Map<string, FolderFile | undefined>();
  for (const place of value) {
    const [path, at]: unknown[] = Array.isArray(place) ? place : [];
    if (typeof path !== 'string' || typeof at !== 'number' || !(at in files)) return undefined;
    changes.set(path, files[at]);
  }
  return changes;
}
