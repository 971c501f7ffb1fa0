import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { appendAuditIn } from './audit';
import { contributorsOf, wasLive } from './contributors';
import type { Store } from './database';
import { lockDraft, lockProject, mainDraft } from './draft-lock';
import { notePart, noteSaver, saversSince } from './draft-savers';
import { keepTree } from './own-blobs';
import { findRevisionOfTree, moved, type Revision, revisionIn, revisionOfDraft, type Snapshot } from './revisions';
import { writing } from './writing';

/** A working copy of a project. */
export interface DraftRow {
  readonly name: string;
  readonly version: number;
  readonly treeHash: TreeHash;
  /** The number of the revision that it continues. */
  readonly base: number | undefined;
  /** The newest revision that has the same files. `undefined` if the draft has changes that no revision has. */
  readonly equals: number | undefined;
  readonly updatedAt: Date;
}

/** A project has at most this many drafts. */
export const mostDrafts = 50;

/** Lists the drafts of a project, `main` first, then by name. */
export async function findDrafts(store: Store, projectId: ProjectId): Promise<readonly DraftRow[]> {
  const { rows } = await store.pool.query<{
    name: string;
    version: number;
    treeHash: string;
    base: number | null;
    equals: number | null;
    updatedAt: Date;
  }>(
    `SELECT d.name, d.version, d."treeHash", d."updatedAt",
       (SELECT number FROM "Revision" r WHERE r.id = d."baseId") AS base,
       (SELECT max(number) FROM "Revision" r WHERE r."projectId" = d."projectId" AND r."treeHash" = d."treeHash") AS equals
     FROM "Draft" d WHERE d."projectId" = $1 ORDER BY d.name <> $2, d.name`,
    [projectId, mainDraft],
  );
  return rows.map(({ treeHash, base, equals, ...row }) => ({
    ...row,
    treeHash: brandAs<TreeHash>(treeHash),
    base: base ?? undefined,
    equals: equals ?? undefined,
  }));
}

/** Returns the ids of the revisions that a draft was updated from and continues, the newest first. */
export async function readDraftLine(
  store: Store,
  projectId: ProjectId,
  name: string,
): Promise<readonly (string | null)[]> {
  const where = { projectId_name: { projectId, name } };
  const draft = await store.prisma.draft.findUnique({ where, select: { baseId: true, mergedId: true } });
  return draft === null ? [] : [draft.mergedId, draft.baseId];
}

export async function hasDraft(store: Store, projectId: ProjectId, name: string): Promise<boolean> {
  return (await store.prisma.draft.count({ where: { projectId, name } })) > 0;
}

/** What a draft begins with. */
export type DraftSource =
  /** `snapshot` is for a draft that was never saved as a revision: it is saved as one, so that both continue the same one. */
  { readonly draft: string; readonly snapshot?: Snapshot } | { readonly revision: number };

/**
 * Makes a draft from another one or from a revision. Returns `moved` if the other draft no longer has the tree of its snapshot. Throws
 * AppError `conflict` for a name that is taken, and `not_found`.
 */
export async function insertDraft(
  store: Store,
  projectId: ProjectId,
  name: string,
  from: DraftSource,
  actor: Actor,
): Promise<typeof moved | undefined> {
  return await store.prisma.$transaction(async (db) => {
    const draft = 'draft' in from ? await lockDraft(db, projectId, from.draft) : undefined;
    await lockProject(db, projectId);
    if ((await db.draft.count({ where: { projectId } })) >= mostDrafts) {
      throw new AppError('too_many', `A project has at most ${mostDrafts} drafts. Delete one, then try again.`);
    }
    const where = { projectId_name: { projectId, name } };
    if ((await db.draft.findUnique({ where })) !== null) throw taken(name);
    if ('revision' in from) {
      const { id, treeHash } = await revisionIn(db, projectId, from.revision);
      await db.draft.create({ data: { projectId, name, treeHash, baseId: id } });
      return;
    }
    if (draft === undefined) throw new Error('Bug: a draft was not locked');
    const { snapshot } = from;
    const isFirst = draft.baseId === null && draft.mergedId === null;
    if (isFirst && snapshot?.treeHash !== draft.treeHash) return moved;
    const message = `Draft '${draft.name}', saved before draft '${name}' was made from it`;
    const first =
      isFirst && snapshot !== undefined
        ? await revisionOfDraft(db, projectId, { draft, snapshot, message }, actor)
        : undefined;
    const savers = first === undefined ? await saversSince(db, projectId, draft) : [];
    const copied = savers.map((by) => ({ by, partVersion: 1 }));
    const { treeHash, mergedId } = draft;
    const baseId = first?.revision.id ?? draft.baseId;
    await db.draft.create({ data: { projectId, name, treeHash, baseId, mergedId, savers: { create: copied } } });
  }, writing);
}

/** Throws AppError `conflict` for a name that is taken, `bad_request` for `main`, and `not_found`. */
export async function renameDraft(store: Store, projectId: ProjectId, name: string, to: string): Promise<void> {
  if (name === mainDraft) throw new AppError('bad_request', `The draft '${mainDraft}' keeps its name.`);
  if (name === to) return;
  await store.prisma.$transaction(async (db) => {
    await lockDraft(db, projectId, name);
    await lockProject(db, projectId);
    if ((await db.draft.findUnique({ where: { projectId_name: { projectId, name: to } } })) !== null) throw taken(to);
    await db.draft.update({ where: { projectId_name: { projectId, name } }, data: { name: to } });
    await db.review.updateMany({ where: { projectId, draft: name, status: 'open' }, data: { draft: to } });
  }, writing);
}

/**
 * Deletes a draft. What no revision has is saved as one first, which is returned. Returns `moved` if the draft no longer has the tree of
 * the snapshot. Throws AppError `bad_request` for `main`, and `not_found`.
 */
export async function removeDraft(
  store: Store,
  projectId: ProjectId,
  name: string,
  snapshot: Snapshot,
  actor: Actor,
): Promise<Revision | undefined | typeof moved> {
  if (name === mainDraft) throw new AppError('bad_request', `The draft '${mainDraft}' cannot be deleted.`);
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, projectId, name);
    if (draft.treeHash !== snapshot.treeHash) return moved;
    await lockProject(db, projectId);
    const known = await findRevisionOfTree(db, projectId, draft.treeHash);
    const message = `Draft '${name}', saved before it was deleted`;
    const saved =
      known === undefined ? await revisionOfDraft(db, projectId, { draft, snapshot, message }, actor) : undefined;
    await db.draft.delete({ where: { projectId_name: { projectId, name } } });
    const body = { draft: name, revision: (saved?.revision ?? known)?.number ?? null };
    await appendAuditIn(db, { actor, action: 'draft.deleted', object: name, project: projectId, body });
    return saved?.revision;
  }, writing);
}

/** What a restore did. */
export interface Restored {
  /** The revision that has what the draft had before, if it was saved for that. */
  readonly saved: Revision | undefined;
  /** The new version of the draft. */
  readonly version: number;
}

/**
 * Gives a draft the files of a revision. What no revision has is saved as one first, and the next revision of the draft continues that
 * one. Returns `moved` if the draft no longer has the tree of the snapshot. Throws AppError `not_found`.
 */
export async function restoreRevision(
  store: Store,
  projectId: ProjectId,
  restore: { readonly draft: string; readonly number: number; readonly snapshot: Snapshot },
  actor: Actor,
): Promise<Restored | typeof moved> {
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, projectId, restore.draft);
    const { snapshot, number } = restore;
    if (draft.treeHash !== snapshot.treeHash) return moved;
    await lockProject(db, projectId);
    const revision = await revisionIn(db, projectId, number);
    if (revision.treeHash === draft.treeHash) return { saved: undefined, version: draft.version };
    const known = await findRevisionOfTree(db, projectId, draft.treeHash);
    const message = `Draft '${draft.name}', saved before revision ${number} was restored`;
    const saved =
      known === undefined ? await revisionOfDraft(db, projectId, { draft, snapshot, message }, actor) : undefined;
    const version = draft.version + 1;
    const where = { projectId_name: { projectId, name: draft.name } };
    // An open editor may undo what the restore removed.
    await keepTree(db, projectId, draft.treeHash);
    await db.draft.update({ where, data: { treeHash: revision.treeHash, version, updatedAt: new Date() } });
    await db.project.update({ where: { id: projectId }, data: { updatedAt: new Date() } });
    // Who wrote what is restored has a part in what the draft has now, whoever restores it.
    const authors = (await wasLive(db, revision.id)) ? [] : await contributorsOf(db, revision.id);
    const restored = { draft: draft.name, version };
    for (const by of authors) await notePart(db, projectId, restored, by);
    await noteSaver(db, projectId, restored, actor.by);
    return { saved: saved?.revision, version };
  }, writing);
}

function taken(name: string): AppError {
  return new AppError('conflict', `The project already has a draft '${name}'. Choose another name.`);
}
