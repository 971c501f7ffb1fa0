import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import type { ListedTools } from '@/lib/base/known-servers';
import { type Closure, hashesOf } from '@/lib/cards/closure';
import { closureOfStored, closureText, readListedText } from './closures';
import type { Store } from './database';
import { type LockedDraft, lockDraft, lockProject } from './draft-lock';
import { saversSince } from './draft-savers';
import { noRevision } from './not-found';
import type { Db } from './trees';
import { writing } from './writing';

/** A numbered snapshot of a draft. It never changes. */
export interface Revision {
  readonly id: string;
  readonly number: number;
  readonly treeHash: TreeHash;
  /** The number of the revision that it continues. `undefined` for the first of a line. */
  readonly parent: number | undefined;
  /** `local` without accounts, otherwise the mail address. */
  readonly author: string;
  readonly authorName: string;
  readonly message: string;
  /** The draft that it was saved from, by its name at that time. */
  readonly draft: string;
  readonly closureHash: string;
  /** In whole seconds. */
  readonly createdAt: Date;
}

/** A tree, and what a review of it covers. */
export interface Snapshot {
  readonly treeHash: TreeHash;
  readonly closure: Closure;
  /** The tools that the servers of the closure listed. */
  readonly listed: ListedTools;
}

export interface SavedRevision {
  readonly revision: Revision;
  /** False if the draft was already saved as this revision. */
  readonly isNew: boolean;
}

/** The draft no longer has the tree that the caller read. */
export const moved = Symbol('the draft has moved on');

const select = {
  id: true,
  number: true,
  treeHash: true,
  parent: { select: { number: true } },
  author: true,
  authorName: true,
  message: true,
  draft: true,
  closureHash: true,
  createdAt: true,
} as const;

/** Lists the revisions with smaller numbers than `before`, newest first. */
export async function findRevisions(
  store: Store,
  projectId: ProjectId,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Revision[]> {
  const where = { projectId, ...(page.before !== undefined && { number: { lt: page.before } }) };
  const rows = await store.prisma.revision.findMany({ where, select, orderBy: { number: 'desc' }, take: page.limit });
  return rows.map(toRevision);
}

/** Reads a revision by its number. Throws AppError `not_found`. */
export async function findRevision(store: Store, projectId: ProjectId, number: number): Promise<Revision> {
  return await revisionIn(store.prisma, projectId, number);
}

export async function revisionIn(db: Db, projectId: ProjectId, number: number): Promise<Revision> {
  const row = await db.revision.findUnique({ where: { projectId_number: { projectId, number } }, select });
  if (row === null) throw noRevision(number);
  return toRevision(row);
}

/** Reads what a review of a revision covers. Throws AppError `not_found`. */
export async function readClosure(store: Store, projectId: ProjectId, number: number): Promise<Closure> {
  const where = { projectId_number: { projectId, number } };
  const row = await store.prisma.revision.findUnique({ where, select: { closure: true, treeHash: true } });
  if (row === null) throw noRevision(number);
  return await closureOfStored(store.prisma, row);
}

/** Reads the tools that servers listed when a revision was saved. `undefined` for one of an older version. Throws AppError `not_found`. */
export async function readListed(store: Store, projectId: ProjectId, number: number): Promise<ListedTools | undefined> {
  const where = { projectId_number: { projectId, number } };
  const row = await store.prisma.revision.findUnique({ where, select: { listed: true } });
  if (row === null) throw noRevision(number);
  return row.listed === null ? undefined : readListedText(row.listed);
}

/** Finds the newest revision that has a tree. */
export async function findRevisionOfTree(
  db: Db,
  projectId: ProjectId,
  treeHash: string,
): Promise<Revision | undefined> {
  const row = await db.revision.findFirst({ where: { projectId, treeHash }, select, orderBy: { number: 'desc' } });
  return row === null ? undefined : toRevision(row);
}

/** Returns the number of the newest revision of each tree that one has. */
export async function revisionsOfTrees(
  db: Db,
  projectId: ProjectId,
  trees: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const rows = await db.revision.groupBy({
    by: ['treeHash'],
    where: { projectId, treeHash: { in: [...trees] } },
    _max: { number: true },
  });
  return Object.fromEntries(
    rows.flatMap(({ treeHash, _max: { number } }) => (number === null ? [] : [[treeHash, number]])),
  );
}

/**
 * Saves a draft as a revision, unless its base is equal. Returns `moved` if the draft no longer has the tree of the snapshot. Throws
 * AppError `not_found`.
 */
export async function insertRevision(
  store: Store,
  projectId: ProjectId,
  save: { readonly draft: string; readonly snapshot: Snapshot; readonly message: string },
  actor: Actor,
): Promise<SavedRevision | typeof moved> {
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, projectId, save.draft);
    if (draft.treeHash !== save.snapshot.treeHash) return moved;
    await lockProject(db, projectId);
    return await revisionOfDraft(db, projectId, { ...save, draft }, actor);
  }, writing);
}

/** Works like `insertRevision`, inside a transaction that holds the locks of the draft and of the project. */
export async function revisionOfDraft(
  db: Db,
  projectId: ProjectId,
  save: { readonly draft: LockedDraft; readonly snapshot: Snapshot; readonly message: string },
  actor: Actor,
): Promise<SavedRevision> {
  const { draft, snapshot, message } = save;
  const base = draft.baseId === null ? null : await db.revision.findUnique({ where: { id: draft.baseId }, select });
  const where = { projectId_name: { projectId, name: draft.name } };
  if (base !== null && draft.mergedId === null && isEqual(base, snapshot)) {
    await db.draft.update({ where, data: { savedVersion: draft.version } });
    return { revision: toRevision(base), isNew: false };
  }
  const last = await db.revision.findFirst({
    where: { projectId },
    select: { number: true },
    orderBy: { number: 'desc' },
  });
  const person = actor.reach !== 'all' && actor.reach.kind === 'person' ? actor.reach : undefined;
  const row = await db.revision.create({
    data: {
      id: randomUUID(),
      projectId,
      number: (last?.number ?? 0) + 1,
      treeHash: snapshot.treeHash,
      parentId: draft.baseId,
      mergedId: draft.mergedId,
      author: actor.by,
      authorName: person?.name ?? actor.by,
      authorId: person?.userId ?? null,
      savers: [...(await saversSince(db, projectId, draft))],
      message,
      draft: draft.name,
      closure: closureText(snapshot.closure),
      closureHash: snapshot.closure.hash,
      listed: JSON.stringify(snapshot.listed),
      // A git commit has no parts of seconds.
      createdAt: new Date(Math.floor(Date.now() / 1_000) * 1_000),
    },
    select,
  });
  await db.draft.update({ where, data: { baseId: row.id, mergedId: null, savedVersion: draft.version } });
  return { revision: toRevision(row), isNew: true };
}

/** True if a revision has the files of a snapshot, and servers list the same. */
export function isEqual(
  { treeHash, closureHash }: { readonly treeHash: string; readonly closureHash: string },
  snapshot: Snapshot,
): boolean {
  return treeHash === snapshot.treeHash && hashesOf(snapshot.closure).includes(closureHash);
}

interface Row extends Omit<Revision, 'parent' | 'treeHash'> {
  readonly treeHash: string;
  readonly parent: { readonly number: number } | null;
}

function toRevision({ treeHash, parent, ...rest }: Row): Revision {
  return { ...rest, treeHash: brandAs<TreeHash>(treeHash), parent: parent?.number };
}
