import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { type BlobHash, brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { decodeFile, encodeFile, findPathClash } from '@/lib/cards/files';
import type { Folder, LoadedFile } from '@/lib/cards/folder';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import { lockDraft, mainDraft } from './draft-lock';
import { noteSaver } from './draft-savers';
import { hashBlobLater, type TreeEntry } from './hash';
import { noDraft, noProject } from './not-found';
import { keepTree, ownBlob } from './own-blobs';
import {
  type Db,
  putEntries,
  putTree,
  readEntries,
  readListing,
  readTree,
  sizeOfEntries,
  sortEntries,
  type TreeEntries,
} from './trees';
import { type NewTrust, type ProjectOrigin, readOrigin, trustRows } from './trust';
import { writing } from './writing';

export interface ProjectRow {
  readonly id: ProjectId;
  readonly name: string;
  /** The draft that `version` and `treeHash` are of. */
  readonly draft: string;
  readonly version: number;
  readonly treeHash: TreeHash;
  readonly updatedAt: Date;
  readonly origin: ProjectOrigin;
}

/**
 * Creates a project. `trust` says who brought the folder; by default a browser did, so that runs wait for a confirmation. Without
 * `actor` nobody asked for the project, and the audit log has nothing of it.
 */
export async function insertProject(
  store: Store,
  name: string,
  folder: Folder,
  trust: NewTrust = { origin: 'import' },
  actor?: Actor,
): Promise<ProjectId> {
  const id = brandAs<ProjectId>(randomUUID());
  await store.prisma.$transaction(async (db) => {
    const treeHash = await putTree(db, folder);
    const trusted = await trustRows(db, trust);
    await db.project.create({ data: { id, name, ...trusted, drafts: { create: { treeHash } } } });
    const body = { name, origin: trusted.origin ?? 'import' };
    if (actor !== undefined && actor.reach !== 'all' && actor.reach.kind === 'person') {
      // Whoever makes a project is its admin.
      const { userId } = actor.reach;
      await db.member.create({ data: { projectId: id, userId, role: 'admin', answers: true, addedBy: actor.by } });
    }
    if (actor) await noteSaver(db, id, { draft: mainDraft, version: 1 }, actor.by);
    if (actor) await appendAuditIn(db, { actor, action: 'project.created', object: id, project: id, body });
  }, writing);
  return id;
}

/** Reads a project with one of its drafts. Throws AppError `not_found`. */
export async function findProject(store: Store, id: ProjectId, draft = mainDraft): Promise<ProjectRow> {
  const { rows } = await store.pool.query<StoredProject>({
    name: 'find-project',
    text: `SELECT p.id, p.name, p."updatedAt", p.origin, d.version, d."treeHash", d.name AS draft
           FROM "Project" p JOIN "Draft" d ON d."projectId" = p.id AND d.name = $2 WHERE p.id = $1`,
    values: [id, draft],
  });
  const [row] = rows;
  if (row !== undefined) return toProject(row);
  if (draft !== mainDraft) await findProject(store, id);
  throw draft === mainDraft ? noProject() : noDraft(draft);
}

/** The revision of a project that is live. */
export interface LiveRevision {
  readonly id: string;
  readonly number: number;
  readonly treeHash: TreeHash;
}

/** Reads a project with its main draft, and its live revision if it has one. Throws AppError `not_found`. */
export async function findProjectToRun(
  store: Store,
  id: ProjectId,
): Promise<{ readonly project: ProjectRow; readonly live: LiveRevision | undefined }> {
  const { rows } = await store.pool.query<
    StoredProject & { liveId: string | null; liveNumber: number; liveTree: string }
  >({
    name: 'find-project-to-run',
    text: `SELECT p.id, p.name, p."updatedAt", p.origin, d.version, d."treeHash", d.name AS draft,
             r.id AS "liveId", r.number AS "liveNumber", r."treeHash" AS "liveTree"
           FROM "Project" p JOIN "Draft" d ON d."projectId" = p.id AND d.name = $2
             LEFT JOIN "Revision" r ON r.id = p."liveId" WHERE p.id = $1`,
    values: [id, mainDraft],
  });
  const [row] = rows;
  if (row === undefined) throw noProject();
  const { liveId, liveNumber: number, liveTree } = row;
  const live = liveId === null ? undefined : { id: liveId, number, treeHash: brandAs<TreeHash>(liveTree) };
  return { project: toProject(row), live };
}

/** Counts the files of a tree without reading them. */
export async function countFiles(store: Store, treeHash: TreeHash): Promise<number> {
  return (await readEntries(store.prisma, treeHash)).length;
}

export async function readDraft(
  store: Store,
  id: ProjectId,
  draft = mainDraft,
): Promise<{ row: ProjectRow; folder: Folder }> {
  const row = await findProject(store, id, draft);
  return { row, folder: await readTree(store.prisma, row.treeHash) };
}

/** Reads a tree as the editor shows it. Binary files are given by their hash. */
export async function readStoredTree(store: Store, treeHash: TreeHash): Promise<Folder> {
  const listing = await readListing(store.prisma, treeHash);
  return new Map(
    listing.map(({ path, blob, file }) => [
      path,
      file.kind === 'text' ? file : { kind: 'stored', hash: blob, size: file.bytes.length },
    ]),
  );
}

/**
 * The change of one file: new content, its removal (null), or the hash of bytes that the project may name
 * (./own-blobs). Undo of a removal and an upload send a hash.
 */
export type FileChange =
  | { readonly path: string; readonly file: LoadedFile | null }
  | { readonly path: string; readonly blob: string };

/** Says by path which files may be executed. */
export type FileModes = ReadonlyMap<string, TreeEntry[2]>;

/** Limits for all files of a draft together. */
export interface DraftLimits {
  readonly files: number;
  readonly totalBytes: number;
}

/**
 * Replaces files of the draft and returns the new version. Throws AppError `conflict` when the draft is no longer at
 * `baseVersion`, and `too_large` when it would exceed `limits`. A project that already exceeds them may become smaller.
 */
export async function saveDraft(
  store: Store,
  id: ProjectId,
  save: {
    readonly draft?: string | undefined;
    readonly baseVersion: number;
    readonly changes: readonly FileChange[];
    readonly limits: DraftLimits;
    /** Who saves. Open editors name them. */
    readonly by?: string | undefined;
  },
): Promise<number> {
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, id, save.draft);
    if (draft.version !== save.baseVersion) throw staleSave(save.baseVersion, draft.version, draft.updatedAt);

    const treeHash = await putChangedTree(db, id, draft.treeHash, save);
    const isRemoval = save.changes.some((change) => 'file' in change && change.file === null);
    if (isRemoval || (await dropsBytes(db, draft.treeHash, treeHash))) await keepTree(db, id, draft.treeHash);
    const version = draft.version + 1;
    const updatedAt = new Date();
    await db.draft.update({
      where: { projectId_name: { projectId: id, name: draft.name } },
      data: { treeHash, version, updatedAt },
    });
    await db.project.update({ where: { id }, data: { updatedAt } });
    await noteSaver(db, id, { draft: draft.name, version }, save.by);
    return version;
  }, writing);
}

/**
 * Stores the listing of `treeHash`, a tree of the project, with changes, and returns the new tree. Call it inside a
 * transaction, as `putTree`. Throws AppError `bad_request` and `too_large`.
 */
export async function putChangedTree(
  db: Db,
  id: ProjectId,
  treeHash: string,
  save: { readonly changes: readonly FileChange[]; readonly limits: DraftLimits; readonly modes?: FileModes },
): Promise<TreeHash> {
  const { changes, limits } = save;
  const before = await readEntries(db, treeHash);
  const entries = new Map(before.map(([path, blob]) => [path, blob]));
  const modes = save.modes ?? new Map(before.map(([path, , mode]) => [path, mode]));
  const blobs = new Map<BlobHash, Uint8Array>();
  for (const change of changes) {
    const { path } = change;
    if ('blob' in change) {
      entries.set(path, await ownBlob(db, id, path, change.blob));
      continue;
    }
    if (change.file === null) {
      entries.delete(path);
      continue;
    }
    const bytes = encodeFile(change.file);
    const hash = await hashBlobLater(bytes);
    blobs.set(hash, bytes);
    entries.set(path, hash);
  }
  checkFileCount(before.length, entries.size, limits);
  const clash = findPathClash(entries.keys());
  if (clash !== undefined) throw new AppError('bad_request', `"${clash}" is both a file and a folder. Rename one.`);
  const after = sortEntries([...entries].map(([path, blob]) => [path, blob, modes.get(path)]));
  const changed = await putEntries(db, after, blobs);
  await checkTotalSize(db, before, after, limits);
  return changed;
}

function checkFileCount(before: number, after: number, limits: DraftLimits): void {
  if (after <= limits.files || after <= before) return;
  throw new AppError(
    'too_large',
    `A project holds at most ${limits.files} files, and with this save it would hold ${after}. Nothing was saved; remove files, then save again.`,
  );
}

/** Called after the new files are written. When it throws, the transaction is rolled back. */
async function checkTotalSize(db: Db, before: TreeEntries, after: TreeEntries, limits: DraftLimits): Promise<void> {
  const total = await sizeOfEntries(db, after);
  if (total <= limits.totalBytes || total <= (await sizeOfEntries(db, before))) return;
  const [most, asked] = [limits.totalBytes, total].map((bytes) => `${Math.ceil((bytes / 1024 / 1024) * 10) / 10} MB`);
  throw new AppError(
    'too_large',
    `The files of a project have at most ${most} together, and with this save they would have ${asked}. Nothing was saved; remove or shorten files, then save again.`,
  );
}

/** True if a file that is not text is replaced. An editor knows such a file by its hash only, so undo needs its bytes. */
async function dropsBytes(db: Db, before: string, after: string): Promise<boolean> {
  const stays = new Set((await readEntries(db, after)).map(([, blob]) => blob));
  const dropped = (await readEntries(db, before)).flatMap(([, blob]) => (stays.has(blob) ? [] : [blob]));
  if (dropped.length === 0) return false;
  const rows = await db.blob.findMany({ where: { hash: { in: dropped } } });
  return rows.some(({ bytes }) => decodeFile(bytes).kind === 'binary');
}

export async function updateProjectName(store: Store, id: ProjectId, name: string, actor: Actor): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    const { count } = await db.project.updateMany({ where: { id }, data: { name, updatedAt: new Date() } });
    if (count === 0) throw noProject();
    await appendAuditIn(db, { actor, action: 'project.renamed', object: id, project: id, body: { name } });
  }, writing);
}

/** Removes the project with its draft, revisions, runs and their events. It waits for a save that is under way. */
export async function removeProject(store: Store, id: ProjectId, actor?: Actor): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    // A save locks the draft first, then the project. The other order would be a deadlock with it.
    await db.$queryRaw`SELECT 1 FROM "Draft" WHERE "projectId" = ${id} ORDER BY name FOR UPDATE`;
    const project = await db.project.findUnique({ where: { id }, select: { name: true } });
    if (project === null) throw noProject();
    await db.project.deleteMany({ where: { id } });
    await db.monthSpending.deleteMany({ where: { projectId: id } });
    if (actor) await appendAuditIn(db, { actor, action: 'project.deleted', object: id, project: id, body: project });
  }, writing);
}

interface StoredProject {
  readonly id: string;
  readonly name: string;
  readonly updatedAt: Date;
  readonly origin: string;
  readonly version: number;
  readonly treeHash: string;
  readonly draft: string;
}

function toProject(row: StoredProject): ProjectRow {
  return {
    id: brandAs<ProjectId>(row.id),
    name: row.name,
    draft: row.draft,
    version: row.version,
    treeHash: brandAs<TreeHash>(row.treeHash),
    updatedAt: row.updatedAt,
    origin: readOrigin(row.origin),
  };
}

function staleSave(base: number, current: number, at: Date): AppError {
  const when = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return new AppError(
    'conflict',
    `Someone saved version ${current} of this project at ${when}, after the version ${base} you began from. ` +
      'Copy what you changed, reload the project, and save again.',
  );
}
