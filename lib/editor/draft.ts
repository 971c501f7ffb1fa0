import { isRecord, parseJson } from '@/lib/base/json';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { changesBetween, type FileChanges, textFile } from './document';
import { fileMark } from './file-mark';

/**
 * Unsaved work. The browser keeps it, so that a reload or a crash loses nothing. It has, for each path, the text, the hash
 * and size of a file that is not text, or `null` when the file was removed.
 */
export interface Draft {
  readonly baseVersion: number;
  readonly changes: FileChanges;
  /** For each path the marks (file-mark.ts) of contents that the work was done on, or that were sent to be saved. */
  readonly marks: ReadonlyMap<string, readonly string[]>;
}

/** The part of `localStorage` that drafts need. */
export interface DraftStorage extends Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'> {}

/** Each window keeps a draft of its own, so that two windows of one project do not replace each other's. */
export interface DraftPlace {
  readonly projectId: string;
  /** `undefined` stands for drafts of earlier versions, which all windows shared. */
  readonly windowId: string | undefined;
}

const prefix = 'callboard:draft:';
const keyOf = ({ projectId, windowId }: DraftPlace) =>
  `${prefix}${projectId}${windowId === undefined ? '' : `:${windowId}`}`;

/**
 * Keeps the difference to the saved folder. Without a difference the draft is removed. `sent` is what requests without
 * an answer sent. Returns false when there was no room for the draft.
 */
export function keepDraft(
  storage: DraftStorage,
  place: DraftPlace,
  saved: { readonly version: number; readonly folder: Folder },
  folder: Folder,
  sent: readonly Folder[] = [],
): boolean {
  const changes = changesBetween(saved.folder, folder);
  try {
    if (changes.size === 0) {
      storage.removeItem(keyOf(place));
      return true;
    }
    const files = [...changes].map(([path, file]) => [path, kept(file), marksOf(path, saved.folder, sent)]);
    storage.setItem(keyOf(place), JSON.stringify({ baseVersion: saved.version, files }));
    return true;
  } catch {
    // The storage is full or forbidden. Editing goes on, and the caller says that a reload would lose the work.
    return false;
  }
}

/**
 * Returns the draft of this window, otherwise one that a closed window left behind, otherwise `undefined`. A draft of
 * another form is ignored. `isOpen` tells which windows are still open.
 */
export function findDraft(
  storage: DraftStorage,
  { projectId, windowId }: DraftPlace,
  isOpen: (windowId: string) => boolean = () => false,
): (Draft & { readonly place: DraftPlace }) | undefined {
  const others = windowsWithDraft(storage, projectId).filter((other) => other === undefined || !isOpen(other));
  for (const place of [windowId, ...others].map((id) => ({ projectId, windowId: id }))) {
    const draft = readDraft(storage.getItem(keyOf(place)));
    if (draft !== undefined) return { ...draft, place };
  }
  return undefined;
}

/** Returns the projects of which the browser keeps unsaved work, of whatever window. */
export function projectsWithDraft(storage: DraftStorage): readonly string[] {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const kept = keys.filter((key) => key.startsWith(prefix) && readDraft(storage.getItem(key)) !== undefined);
  return [...new Set(kept.map((key) => key.slice(prefix.length).split(':')[0] ?? ''))].sort();
}

/** Removes a draft that another window left behind, once this window has it. */
export function removeDraft(storage: DraftStorage, place: DraftPlace): void {
  storage.removeItem(keyOf(place));
}

function windowsWithDraft(storage: DraftStorage, projectId: string): readonly (string | undefined)[] {
  const shared = keyOf({ projectId, windowId: undefined });
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys.flatMap((key) => {
    if (key === shared) return [undefined];
    return key.startsWith(`${shared}:`) ? [key.slice(shared.length + 1)] : [];
  });
}

function readDraft(text: string | null): Draft | undefined {
  const value = text === null ? undefined : parseJson(text);
  if (!isRecord(value) || typeof value.baseVersion !== 'number' || !Array.isArray(value.files)) return undefined;
  const changes = new Map<string, FolderFile | undefined>();
  const marks = new Map<string, readonly string[]>();
  for (const entry of value.files) {
    if (!Array.isArray(entry)) return undefined;
    const [path, file, known]: unknown[] = entry;
    if (typeof path !== 'string') return undefined;
    changes.set(path, found(file));
    if (Array.isArray(known))
      marks.set(
        path,
        known.filter((mark) => typeof mark === 'string'),
      );
  }
  return { baseVersion: value.baseVersion, changes, marks };
}

function marksOf(path: string, saved: Folder, sent: readonly Folder[]): readonly string[] {
  return [...new Set([saved, ...sent].map((folder) => fileMark(folder.get(path))))];
}

function kept(file: FolderFile | undefined): unknown {
  if (file?.kind === 'text') return file.text;
  return file?.kind === 'stored' ? { hash: file.hash, size: file.size } : null;
}

function found(file: unknown): FolderFile | undefined {
  if (typeof file === 'string') return textFile(file);
  if (!isRecord(file) || typeof file.hash !== 'string' || typeof file.size !== 'number') return undefined;
  return { kind: 'stored', hash: file.hash, size: file.size };
}
