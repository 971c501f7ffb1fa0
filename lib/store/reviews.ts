import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import { brandAs, type ProjectId, type TreeHash } from '@/lib/base/ids';
import type { ReviewStatus } from '@/lib/base/review-kinds';
import { staleWords } from '@/lib/cards/stale-approval';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import { appendAuditIn } from './audit';
import { closureOfStored } from './closures';
import { contributorsOf } from './contributors';
import type { Store } from './database';
import { lockDraft, lockProject } from './draft-lock';
import { toPlainText } from './json-text';
import { noReview } from './not-found';
import { type Review, reviewSelect, toReview } from './review-rows';
import { isEqual, moved, revisionOfDraft, type Snapshot } from './revisions';
import type { Db } from './trees';
import { writing } from './writing';

/*
 * Reviews. Every change of one is made while its project is locked, so versions, verdicts and threads are in one order. Locks are taken in
 * the order of draft-lock.ts.
 */

/** Lists the reviews with smaller numbers than `before`, newest first. */
export async function findReviews(
  store: Store,
  projectId: ProjectId,
  page: { readonly status?: ReviewStatus | undefined; readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Review[]> {
  const { status, before, limit } = page;
  const where = { projectId, ...(status && { status }), ...(before !== undefined && { number: { lt: before } }) };
  const rows = await store.prisma.review.findMany({
    where,
    select: reviewSelect,
    orderBy: { number: 'desc' },
    take: limit,
  });
  return rows.map(toReview);
}

/** Reads a review. Throws AppError `not_found`. */
export async function findReview(db: Db, projectId: ProjectId, number: number): Promise<Review> {
  const where = { projectId_number: { projectId, number } };
  const row = await db.review.findUnique({ where, select: reviewSelect });
  if (row === null) throw noReview(number);
  return toReview(row);
}

/** Throws AppError `conflict` unless the review is open. */
export function checkOpen({ number, status }: Pick<Review, 'number' | 'status'>): void {
  if (status !== 'open') throw new AppError('conflict', `Review ${number} is ${status}. Open another one.`);
}

/**
 * Opens a review of a draft, which is saved as a revision. Returns its number, or `moved` if the draft no longer has the tree of the
 * snapshot. Throws AppError `conflict` if the draft is under review already, or has what is live.
 */
export async function insertReview(
  store: Store,
  projectId: ProjectId,
  open: { readonly draft: string; readonly snapshot: Snapshot; readonly title: string; readonly body: string },
  actor: Actor,
): Promise<number | typeof moved> {
  return await store.prisma.$transaction(async (db) => {
    const { snapshot, title, body } = open;
    const draft = await lockDraft(db, projectId, open.draft);
    if (draft.treeHash !== snapshot.treeHash) return moved;
    await lockProject(db, projectId);
    const now = await db.review.findFirst({ where: { projectId, draft: draft.name, status: 'open' } });
    if (now !== null) {
      const next = 'Add a version to it, or withdraw it.';
      throw new AppError('conflict', `Review ${now.number} of the draft '${draft.name}' is open. ${next}`);
    }
    const { live } = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { live: true } });
    if (live !== null && isEqual(live, snapshot)) {
      throw new AppError('conflict', `The draft '${draft.name}' has what is live. Change it first.`);
    }
    const { revision } = await revisionOfDraft(db, projectId, { draft, snapshot, message: title }, actor);
    const last = await db.review.findFirst({
      where: { projectId },
      select: { number: true },
      orderBy: { number: 'desc' },
    });
    const number = (last?.number ?? 0) + 1;
    await db.review.create({
      data: {
        id: randomUUID(),
        projectId,
        number,
        title,
        body,
        author: actor.by,
        authorName: nameOf(actor),
        baseId: live?.id ?? null,
        headId: revision.id,
        draft: draft.name,
        heads: { create: { n: 1, revisionId: revision.id, authors: await contributorsOf(db, revision.id) } },
      },
    });
    const entry = { review: number, revision: revision.number, draft: draft.name };
    await appendAuditIn(db, { actor, action: 'review.opened', object: projectId, project: projectId, body: entry });
    return number;
  }, writing);
}

/** Finds the number of the open review of a draft. */
export async function findOpenReview(store: Store, projectId: ProjectId, draft: string): Promise<number | undefined> {
  const found = await store.prisma.review.findFirst({
    where: { projectId, draft, status: 'open' },
    select: { number: true },
  });
  return found?.number;
}

/** A new version of a review, with what became of its threads. */
export interface NewHead {
  readonly snapshot: Snapshot;
  readonly message: string;
  /** The version that the caller read. */
  readonly after: Review;
  /** Where each thread is now, by its id. Null: what it is about was changed. */
  readonly places: ReadonlyMap<string, ReviewAnchor | null>;
}

/**
 * Adds a version. Verdicts for another closure end, and say why. Returns the number of the version, or `moved` if the draft, the
 * review or its threads are no longer those that the caller read. Throws AppError `conflict` and `not_found`.
 */
export async function insertHead(
  store: Store,
  projectId: ProjectId,
  head: NewHead,
  actor: Actor,
): Promise<{ readonly version: number; readonly isNew: boolean } | typeof moved> {
  const { snapshot, message, after, places } = head;
  return await store.prisma.$transaction(async (db) => {
    const draft = await lockDraft(db, projectId, after.draft);
    await lockProject(db, projectId);
    const review = await findReview(db, projectId, after.number);
    checkOpen(review);
    const threads = await db.reviewThread.findMany({ where: { reviewId: review.id, outdatedIn: null } });
    const isKnown = review.head.id === after.head.id && threads.every(({ id }) => places.has(id));
    if (!isKnown || draft.treeHash !== snapshot.treeHash) return moved;
    const { revision } = await revisionOfDraft(db, projectId, { draft, snapshot, message }, actor);
    const last = review.version;
    if (revision.id === review.head.id) return { version: last, isNew: false };
    const version = last + 1;
    const authors = await contributorsOf(db, revision.id);
    await db.reviewHead.create({ data: { reviewId: review.id, n: version, revisionId: revision.id, authors } });
    await db.review.update({ where: { id: review.id }, data: { headId: revision.id } });
    for (const { id } of threads) {
      const place = places.get(id);
      const data = place === null || place === undefined ? { outdatedIn: version } : { place };
      await db.reviewThread.update({ where: { id }, data });
    }
    await endVerdicts(db, review.id, { ...snapshot, by: revision.authorName, version });
    const body = { review: review.number, version, revision: revision.number };
    await appendAuditIn(db, { actor, action: 'review.version_added', object: projectId, project: projectId, body });
    return { version, isNew: true };
  }, writing);
}

async function endVerdicts(
  db: Db,
  reviewId: string,
  { closure, ...change }: Snapshot & { readonly by: string; readonly version: number },
): Promise<void> {
  const held = await db.verdict.findMany({
    where: { reviewId, staleAt: null, verdict: { not: 'withdrawn' } },
    select: { id: true, revision: { select: { closure: true, treeHash: true } } },
  });
  for (const { id, revision } of held) {
    const before = await closureOfStored(db, revision);
    if (before.hash === closure.hash) continue;
    const staleBy = toPlainText(staleWords(before.parts, closure.parts, change));
    await db.verdict.update({ where: { id }, data: { staleAt: new Date(), staleBy } });
  }
}

/** Withdraws a review. Its verdicts count no longer. Throws AppError `conflict` and `not_found`. */
export async function closeReview(store: Store, projectId: ProjectId, number: number, actor: Actor): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const review = await findReview(db, projectId, number);
    if (review.status === 'withdrawn') return;
    checkOpen(review);
    const data = { status: 'withdrawn', closedAt: new Date(), againstId: await findLiveId(db, projectId) };
    await db.review.update({ where: { id: review.id }, data });
    await db.verdict.updateMany({
      where: { reviewId: review.id, staleAt: null, verdict: { not: 'withdrawn' } },
      data: { staleAt: new Date(), staleBy: `${nameOf(actor)} withdrew the review` },
    });
    const body = { review: number };
    await appendAuditIn(db, { actor, action: 'review.withdrawn', object: projectId, project: projectId, body });
  }, writing);
}

/**
 * Says that what open reviews ask for goes live, in a transaction that holds the lock of the project, before the label moves. Returns the
 * id of one of them.
 */
export async function closePublished(db: Db, projectId: ProjectId, revisionId: string): Promise<string | null> {
  const found = await db.review.findMany({
    where: { projectId, status: 'open', headId: revisionId },
    select: { id: true, baseId: true },
    orderBy: { number: 'desc' },
  });
  const live = await findLiveId(db, projectId);
  for (const { id, baseId } of found) {
    // What went live in another way is compared with what was live before it, as far as that is known.
    const againstId = live === revisionId ? baseId : live;
    await db.review.update({ where: { id }, data: { status: 'published', closedAt: new Date(), againstId } });
  }
  return found[0]?.id ?? null;
}

async function findLiveId(db: Db, projectId: ProjectId): Promise<string | null> {
  return (await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { liveId: true } })).liveId;
}

/** The name that people see. */
export function nameOf({ by, reach }: Actor): string {
  return reach !== 'all' && reach.kind === 'person' ? reach.name : by;
}

/** Returns the tree of what is live with the hash of what a review of it covers, or `undefined`. */
export async function findLive(
  db: Db,
  projectId: ProjectId,
): Promise<{ readonly treeHash: TreeHash; readonly closureHash: string } | undefined> {
  const project = await db.project.findUnique({ where: { id: projectId }, select: { live: true } });
  if (!project?.live) return undefined;
  return { treeHash: brandAs<TreeHash>(project.live.treeHash), closureHash: project.live.closureHash };
}
