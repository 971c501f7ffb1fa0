import { isRecord, parseJson } from '@/lib/base/json';
import type { Folder } from '@/lib/cards/folder';
import { changesBetween, type FileChanges, textFile } from './document';

/** Unsaved work, kept in the browser so that a reload or a crash loses nothing. Text files only; `null`: removed. */
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

/** Keeps the difference to the saved folder; no difference removes the draft. False when there was no room for it. */
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
    const files = [...changes].map(([path, file]) => [path, file?.kind === 'text' ? file.text : null]);
    storage.setItem(keyOf(projectId), JSON.stringify({ baseVersion: saved.version, files }));
    return true;
  } catch {
    // Full or forbidden storage: editing goes on, and the caller says that a reload would lose the work.
    return false;
  }
}

/** What was kept, or `undefined` when there is nothing or it is not ours. */
export function findDraft(storage: DraftStorage, projectId: string): Draft | undefined {
  const text = storage.getItem(keyOf(projectId));
  const value = text === null ? undefined : parseJson(text);
  if (!isRecord(value) || typeof value.baseVersion !== 'number' || !Array.isArray(value.files)) return undefined;
  const changes = new Map<string, ReturnType<typeof textFile> | undefined>();
  for (const entry of value.files) {
    if (!Array.isArray(entry)) return undefined;
    const [path, fileText]: unknown[] = entry;
    if (typeof path !== 'string') return undefined;
    changes.set(path, typeof fileText === 'string' ? textFile(fileText) : undefined);
  }
  return { baseVersion: value.baseVersion, changes };
}
