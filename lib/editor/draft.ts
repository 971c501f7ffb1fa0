import { isRecord, parseJson } from '@/lib/base/json';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { changesBetween, type FileChanges, textFile } from './document';

/**
 * Unsaved work. The browser keeps it, so that a reload or a crash loses nothing. It has, for each path, the text, the hash
 * and size of a file that is not text, or `null` when the file was removed.
 */
export interface Draft {
  readonly baseVersion: number;
  readonly changes: FileChanges;
}

/** The part of `localStorage` that drafts need. */
export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const keyOf = (projectId: string) => `callboard:draft:${projectId}`;

/**
 * Keeps the difference to the saved folder. Without a difference the draft is removed. Returns false when there was no room
 * for it.
 */
export function keepDraft(
  storage: DraftStorage,
  projectId: string,
  saved: { readonly version: number; readonly folder: Folder },
  folder: Folder,
): boolean {
  const changes = changesBetween(saved.folder, folder);
  try {
    if (changes.size === 0) {
      storage.removeItem(keyOf(projectId));
      return true;
    }
    const files = [...changes].map(([path, file]) => [path, kept(file)]);
    storage.setItem(keyOf(projectId), JSON.stringify({ baseVersion: saved.version, files }));
    return true;
  } catch {
    // The storage is full or forbidden. Editing goes on, and the caller says that a reload would lose the work.
    return false;
  }
}

/** Returns the kept draft, or `undefined` if there is none or it has another form. */
export function findDraft(storage: DraftStorage, projectId: string): Draft | undefined {
  const text = storage.getItem(keyOf(projectId));
  const value = text === null ? undefined : parseJson(text);
  if (!isRecord(value) || typeof value.baseVersion !== 'number' || !Array.isArray(value.files)) return undefined;
  const changes = new Map<string, FolderFile | undefined>();
  for (const entry of value.files) {
    if (!Array.isArray(entry)) return undefined;
    const [path, file]: unknown[] = entry;
    if (typeof path !== 'string') return undefined;
    changes.set(path, found(file));
  }
  return { baseVersion: value.baseVersion, changes };
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
