import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import { lockDraft, lockProject } from './draft-lock';
import { lineOfMoves } from './label-line';
import { noRevision } from './not-found';
import { closePublished } from './reviews';
import { isEqual, moved, type Revision, revisionIn, revisionOfDraft, type Snapshot } from './revisions';
import type { Db } from './trees';
import { writing } from './writing';

/*
 * Labels name revisions, such as `live` and `staging`. Each move of a label is a row that never changes, so the history of what was live
 * when, and who moved it, is the table itself.
 */

/** The label of the revision that callers get. */
export const liveLabel = 'live';

export const releaseKinds = ['publish', 'promote', 'rollback'] as const;
export type ReleaseKind = (typeof releaseKinds)[number];

export interface Release {
  readonly number: number;
  readonly label: string;
  readonly revision: number;
  readonly kind: ReleaseKind;
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
  /** The ids of the checks that an administrator overrode. */
  readonly overrode: readonly string[];
}

/** A label, and the release that moved it last. */
export type Label = Omit<Release, 'number'>;

const storedKinds: readonly string[] = releaseKinds;

interface ReleaseRow {
  readonly number: number;
  readonly label: string;
  readonly revision: { readonly number: number };
  readonly kind: string;
  readonly by: string;
  readonly at: Date;
  readonly reason: string;
  readonly overrode: string;
}

const select = {
  number: true,
  label: true,
  revision: { select: { number: true } },
  kind: true,
  by: true,
  at: true,
  reason: true,
  overrode: true,
} as const;

function toRelease({ revision, kind, overrode, ...row }: ReleaseRow): Release {
  const known = releaseKinds[storedKinds.indexOf(kind)] ?? 'publish';
  return { ...row, revision: revision.number, kind: known, overrode: overrode === '' ? [] : overrode.split('\n') };
}

/** Lists releases with smaller numbers than `before`, newest first. */
export async function findReleases(
  store: Store,
  projectId: ProjectId,
  page: { readonly label?: string | undefined; readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Release[]> {
  const { label, before, limit } = page;
  const where = { projectId, ...(label !== undefined && { label }), ...(before && { number: { lt: before } }) };
  const rows = await store.prisma.release.findMany({ where, select, orderBy: { number: 'desc' }, take: limit });
  return rows.map(toRelease);
}

/** Lists the labels of a project with what they name now, `live` first, then by name. */
export async function findLabels(store: Store, projectId: ProjectId): Promise<readonly Label[]> {
  const rows = await store.prisma.release.findMany({
    where: { projectId },
    select,
    distinct: ['label'],
    orderBy: [{ label: 'asc' }, { number: 'desc' }],
  });
  const labels = rows.map(toRelease);
  return [...labels.filter(({ label }) => label === liveLabel), ...labels.filter(({ label }) => label !== liveLabel)];
}

/** Finds the revision that a label names. Throws AppError `not_found`. */
export async function findLabelled(store: Store, projectId: ProjectId, label: string): Promise<Revision> {
  const found = await currentOf(store.prisma, projectId, label);
  if (found === undefined) throw noRevision(label);
  return await revisionIn(store.prisma, projectId, found.revision);
}

/** Returns the trees of the revisions that labels name now. */
export async function findLabelledTrees(store: Store, projectId: ProjectId): Promise<readonly TreeHash[]> {
  const { rows } = await store.pool.query<{ treeHash: string }>(
    `SELECT DISTINCT r."treeHash" FROM (
       SELECT DISTINCT ON (label) "revisionId" FROM "Release" WHERE "projectId" = $1 ORDER BY label, number DESC
     ) now JOIN "Revision" r ON r.id = now."revisionId"`,
    [projectId],
  );
  return rows.map(({ treeHash }) => brandAs<TreeHash>(treeHash));
}

/** Returns the last move of a label. */
export async function currentOf(db: Db, projectId: ProjectId, label: string): Promise<Release | undefined> {
  const row = await db.release.findFirst({ where: { projectId, label }, select, orderBy: { number: 'desc' } });
  return row === null ? undefined : toRelease(row);
}

/** A move of a label that a person asks for. */
export interface Move {
  readonly label: string;
  readonly kind: ReleaseKind;
  /** A revision, or a draft that is saved as one. For a roll back `earlier` is the revision that the label named before. */
  readonly to:
    | { readonly revision: number; readonly message?: undefined }
    | { readonly draft: string; readonly snapshot: Snapshot; readonly message: string }
    | 'earlier';
  readonly reason: string;
  /** What the label named when the person looked; null for nothing. If it names another one now, the move is refused. */
  readonly expected?: number | null | undefined;
  /** The checks that an administrator overrides, by id. */
  readonly overrode: readonly string[];
}

export interface Moved {
  readonly revision: Revision;
  /** False if the label already named the revision. Then nothing was written. */
  readonly isNew: boolean;
  /** What the label named before. */
  readonly before: number | undefined;
}

/**
 * Moves a label. Moves of one project follow each other. Returns `moved` if a draft no longer has the tree of its snapshot. Throws
 * AppError `conflict` and `not_found`.
 */
export async function moveLabel(
  store: Store,
  projectId: ProjectId,
  move: Move,
  actor: Actor,
): Promise<Moved | typeof moved> {
  const { label, kind, to } = move;
  return await store.prisma.$transaction(async (db) => {
    const draft = to !== 'earlier' && 'draft' in to ? await lockDraft(db, projectId, to.draft) : undefined;
    if (draft !== undefined && to !== 'earlier' && 'draft' in to && draft.treeHash !== to.snapshot.treeHash) {
      return moved;
    }
    await lockProject(db, projectId);
    const current = await currentOf(db, projectId, label);
    const before = current?.revision;
    const target = async (): Promise<Revision> => {
      if (to === 'earlier') return await findEarlier(db, projectId, label);
      if (draft !== undefined && 'draft' in to) {
        const now = before === undefined ? undefined : await revisionIn(db, projectId, before);
        if (now !== undefined && isEqual(now, to.snapshot)) return now;
        return (await revisionOfDraft(db, projectId, { ...to, draft }, actor)).revision;
      }
      const revision = await revisionIn(db, projectId, 'revision' in to ? to.revision : 0);
      if (kind === 'rollback') await checkWasNamed(db, projectId, label, revision.number);
      return revision;
    };
    if (to === 'earlier') checkExpected(move, before);
    const revision = await target();
    // A second click finds the label where it wanted to move it.
    if (revision.number === before) {
      if (label === liveLabel) await closePublished(db, projectId, revision.id);
      return { revision, isNew: false, before };
    }
    checkExpected(move, before);
    await insertRelease(db, projectId, { ...move, revision, before }, actor);
    return { revision, isNew: true, before };
  }, writing);
}

/** Throws AppError `conflict` if a label does not name what the person saw. */
export function checkExpected({ label, expected }: Pick<Move, 'label' | 'expected'>, before: number | undefined): void {
  if (expected === undefined || expected === (before ?? null)) return;
  const now = before === undefined ? `Nothing is '${label}' now` : `Revision ${before} is '${label}' now`;
  throw new AppError('conflict', `${now}: somebody moved it since you looked. Look again, then decide.`);
}

async function insertRelease(
  db: Db,
  projectId: ProjectId,
  release: Move & { readonly revision: Revision; readonly before: number | undefined },
  actor: Actor,
): Promise<void> {
  const { label, kind, reason, revision, before, overrode } = release;
  const last = await db.release.findFirst({
    where: { projectId },
    select: { number: true },
    orderBy: { number: 'desc' },
  });
  const reviewId = kind === 'publish' ? await closePublished(db, projectId, revision.id) : null;
  await db.release.create({
    data: {
      id: randomUUID(),
      projectId,
      number: (last?.number ?? 0) + 1,
      label,
      revisionId: revision.id,
      kind,
      by: actor.by,
      at: new Date(),
      reason,
      overrode: overrode.join('\n'),
      reviewId,
    },
  });
  if (label === liveLabel) await db.project.update({ where: { id: projectId }, data: { liveId: revision.id } });
  const body = { label, revision: revision.number, before: before ?? null, reason };
  const entry = { actor, object: projectId, project: projectId };
  if (overrode.length > 0) {
    const what = { ...body, checks: overrode.join(', ') };
    await appendAuditIn(db, { ...entry, action: 'gate.overridden', body: what });
  }
  await appendAuditIn(db, { ...entry, action: auditActionOf[kind], body });
}

const auditActionOf = {
  publish: 'revision.published',
  promote: 'revision.promoted',
  rollback: 'revision.rolled_back',
} as const;

/**
 * Finds what a label named before the present one. A roll back takes the present one away, so that two of them in a row go two steps
 * back. Throws AppError `conflict` if there is none.
 */
export async function findEarlier(db: Db, projectId: ProjectId, label: string): Promise<Revision> {
  const line = await lineOf(db, projectId, label);
  const earlier = line.at(-2);
  if (earlier === undefined) {
    throw new AppError('conflict', `There is no earlier revision that was '${label}'. Publish another one instead.`);
  }
  return await revisionIn(db, projectId, earlier);
}

async function checkWasNamed(db: Db, projectId: ProjectId, label: string, number: number): Promise<void> {
  const found = await db.release.findFirst({ where: { projectId, label, revision: { number } }, select: { id: true } });
  if (found !== null) return;
  throw new AppError(
    'bad_request',
    `Revision ${number} was never '${label}', so there is no way back to it. Publish it.`,
  );
}

/** Returns the revisions that a label has named, without those that were rolled back. The last one is the present one. */
async function lineOf(db: Db, projectId: ProjectId, label: string): Promise<readonly number[]> {
  const rows = await db.release.findMany({
    where: { projectId, label },
    select: { kind: true, revision: { select: { number: true } } },
    orderBy: { number: 'asc' },
  });
  return lineOfMoves(rows.map(({ kind, revision }) => ({ kind, revision: revision.number }))).map(
    ({ revision }) => revision,
  );
}
