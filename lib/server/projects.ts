import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import {
  findProject,
  findProjects,
  insertProject,
  readDraft,
  readEditorDraft,
  removeProject,
  saveDraft,
  updateProjectName,
} from '@/lib/store/projects';
import { findActiveRuns, findLastRuns } from '@/lib/store/runs';
import { readTree } from '@/lib/store/trees';
import type { NewTrust } from '@/lib/store/trust';
import { checkFilePath, checkFileSize, checkFolder, folderLimits } from './folder-limits';
import { type ProjectSummary, summarise } from './project-summary';
import { withStore, withStoreOnce } from './services';
import { readZip as unpackZip, writeZip } from './zip';

/** Most recently changed first. */
export async function listProjects(): Promise<readonly ProjectSummary[]> {
  return await withStore(async (store) => {
    const rows = await findProjects(store);
    const lastRuns = await findLastRuns(store);
    const summaries: ProjectSummary[] = [];
    for (const row of rows) summaries.push(await summarise(store, row, lastRuns.get(row.id)));
    return summaries;
  });
}

/** Throws AppError `bad_request` or `too_large` for a name or folder that cannot be kept. */
export async function createProject(input: {
  readonly name: string;
  readonly folder: Folder;
  /** Who brought it. Default: a browser, so that its runs wait for a confirmation. */
  readonly trust?: NewTrust;
}): Promise<{ readonly id: ProjectId }> {
  const name = checkName(input.name);
  checkFolder(input.folder);
  return await withStoreOnce(async ({ store }) => ({
    id: await insertProject(store, name, input.folder, input.trust),
  }));
}

export interface OpenedProject {
  readonly id: ProjectId;
  readonly name: string;
  readonly version: number;
  readonly folder: Folder;
  readonly updatedAt: Date;
}

/** Throws AppError `not_found`, as all below do. */
export async function openProject(id: ProjectId): Promise<OpenedProject> {
  return await withStore(async (store) => {
    const { row, folder } = await readDraft(store, id);
    return { id, name: row.name, version: row.version, folder, updatedAt: row.updatedAt };
  });
}

/** The same as an editor holds it: files that are not text are named by the hash of their bytes. */
export async function openInEditor(id: ProjectId): Promise<OpenedProject> {
  return await withStore(async (store) => {
    const { row, folder } = await readEditorDraft(store, id);
    return { id, name: row.name, version: row.version, folder, updatedAt: row.updatedAt };
  });
}

/** A file of a save: its new text, the hash of bytes that the project has or had lately, or null for none. */
export type SavedFile =
  | { readonly path: string; readonly text: string | null }
  | { readonly path: string; readonly hash: string };

/**
 * Saves files over version `baseVersion`; `text: null` removes a file. Throws AppError `conflict` when somebody saved
 * since, `bad_request` or `too_large` for files that cannot be kept.
 */
export async function saveFiles(
  id: ProjectId,
  save: {
    readonly baseVersion: number;
    readonly changes: readonly SavedFile[];
  },
): Promise<{ readonly version: number }> {
  const changes = save.changes.map((change) => {
    const { path } = change;
    checkFilePath(path);
    if ('hash' in change) return { path, blob: change.hash };
    const { text } = change;
    if (text === null) return { path, file: null };
    if (/\p{Surrogate}/u.test(text)) {
      throw new AppError('bad_request', `The text of "${path}" holds half a character. Remove it.`);
    }
    const file = { kind: 'text', text } as const;
    checkFileSize(path, file);
    return { path, file };
  });
  return await withStoreOnce(async ({ store }) => ({
    version: await saveDraft(store, id, { baseVersion: save.baseVersion, changes, maxFiles: folderLimits.files }),
  }));
}

export async function renameProject(id: ProjectId, name: string): Promise<void> {
  const checked = checkName(name);
  await withStore((store) => updateProjectName(store, id, checked));
}

/** Stops what runs, then removes the project with its runs. The workers collect the files nothing else names. */
export async function deleteProject(id: ProjectId): Promise<void> {
  await withStoreOnce(async ({ store, queue }) => {
    for (const runId of await findActiveRuns(store, id)) await queue.cancelRun(runId);
    await removeProject(store, id);
  });
}

/** The folder as a zip; the same folder gives the same bytes. */
export async function exportProject(id: ProjectId): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
  return await withStore(async (store) => {
    const row = await findProject(store, id);
    return { name: row.name, bytes: writeZip(await readTree(store.prisma, row.treeHash)) };
  });
}

/** See `readZip` in ./zip. */
export function readZip(bytes: Uint8Array): Folder {
  return unpackZip(bytes);
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new AppError('bad_request', 'A project needs a name. Give it one.');
  if (trimmed.length > 200) throw new AppError('bad_request', 'A project name has at most 200 characters. Shorten it.');
  if (/[\p{Cc}\p{Surrogate}]/u.test(trimmed)) {
    throw new AppError('bad_request', 'The project name holds control characters. Type it again without them.');
  }
  return trimmed;
}
