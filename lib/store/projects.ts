import { randomUUID } from 'node:crypto';
import { AppError } from '@/lib/base/app-error';
import { type BlobHash, brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { encodeFile, findPathClash } from '@/lib/cards/files';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import type { Store } from './database';
import { hashBlob } from './hash';
import { putEntries, putTree, readEntries, readTree, sortEntries } from './trees';

export interface ProjectRow {
  readonly id: ProjectId;
  readonly name: string;
  readonly version: number;
  readonly treeHash: TreeHash;
  readonly updatedAt: Date;
}

const writing = { timeout: 60_000, maxWait: 15_000 };

export async function insertProject(store: Store, name: string, folder: Folder): Promise<ProjectId> {
  const id = brandAs<ProjectId>(randomUUID());
  await store.prisma.$transaction(async (db) => {
    const treeHash = await putTree(db, folder);
    await db.project.create({ data: { id, name, draft: { create: { treeHash } } } });
  }, writing);
  return id;
}

/** Most recently changed first. */
export async function findProjects(store: Store): Promise<readonly ProjectRow[]> {
  const rows = await store.prisma.project.findMany({
    include: { draft: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
  });
  return rows.flatMap((row) => (row.draft === null ? [] : [toProject(row, row.draft)]));
}

/** Throws AppError `not_found`. */
export async function findProject(store: Store, id: ProjectId): Promise<ProjectRow> {
  const row = await store.prisma.project.findUnique({ where: { id }, include: { draft: true } });
  if (row === null || row.draft === null) throw noProject();
  return toProject(row, row.draft);
}

export async function readDraft(store: Store, id: ProjectId): Promise<{ row: ProjectRow; folder: Folder }> {
  const row = await findProject(store, id);
  return { row, folder: await readTree(store.prisma, row.treeHash) };
}

export interface FileChange {
  readonly path: string;
  /** null removes the file. */
  readonly file: FolderFile | null;
}

/**
 * Replaces files of the draft and returns its new version. Throws AppError `conflict` when the draft is no longer at
 * `baseVersion`, and `too_large` when more than `maxFiles` would be left.
 */
export async function saveDraft(
  store: Store,
  id: ProjectId,
  save: { readonly baseVersion: number; readonly changes: readonly FileChange[]; readonly maxFiles: number },
): Promise<number> {
  return await store.prisma.$transaction(async (db) => {
    await db.$queryRaw`SELECT 1 FROM "Draft" WHERE "projectId" = ${id} FOR UPDATE`;
    const draft = await db.draft.findUnique({ where: { projectId: id } });
    if (draft === null) throw noProject();
    if (draft.version !== save.baseVersion) throw staleSave(save.baseVersion, draft.version, draft.updatedAt);

    const entries = new Map<string, BlobHash>(await readEntries(db, draft.treeHash));
    const blobs = new Map<BlobHash, Uint8Array>();
    for (const { path, file } of save.changes) {
      if (file === null) {
        entries.delete(path);
        continue;
      }
      const bytes = encodeFile(file);
      const hash = hashBlob(bytes);
      blobs.set(hash, bytes);
      entries.set(path, hash);
    }
    if (entries.size > save.maxFiles) {
      throw new AppError(
        'too_large',
        `A project holds at most ${save.maxFiles} files; this would make ${entries.size}.`,
      );
    }
    const clash = findPathClash(entries.keys());
    if (clash !== undefined) throw new AppError('bad_request', `"${clash}" is both a file and a folder. Rename one.`);
    const treeHash = await putEntries(db, sortEntries([...entries]), blobs);
    const version = draft.version + 1;
    const updatedAt = new Date();
    await db.draft.update({ where: { projectId: id }, data: { treeHash, version, updatedAt } });
    await db.project.update({ where: { id }, data: { updatedAt } });
    return version;
  }, writing);
}

export async function updateProjectName(store: Store, id: ProjectId, name: string): Promise<void> {
  const { count } = await store.prisma.project.updateMany({ where: { id }, data: { name, updatedAt: new Date() } });
  if (count === 0) throw noProject();
}

/** Removes the project with its draft, revisions, runs and their events. */
export async function removeProject(store: Store, id: ProjectId): Promise<void> {
  const { count } = await store.prisma.project.deleteMany({ where: { id } });
  if (count === 0) throw noProject();
}

function toProject(
  row: { readonly id: string; readonly name: string; readonly updatedAt: Date },
  draft: { readonly version: number; readonly treeHash: string },
): ProjectRow {
  return {
    id: brandAs<ProjectId>(row.id),
    name: row.name,
    version: draft.version,
    treeHash: brandAs<TreeHash>(draft.treeHash),
    updatedAt: row.updatedAt,
  };
}

function noProject(): AppError {
  return new AppError(
    'not_found',
    'There is no such project. It may have been deleted; go back to the list of projects.',
  );
}

function staleSave(base: number, current: number, at: Date): AppError {
  const when = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return new AppError(
    'conflict',
    `Someone saved version ${current} of this project at ${when}, after the version ${base} you began from. ` +
      'Copy what you changed, reload the project, and save again.',
  );
}
