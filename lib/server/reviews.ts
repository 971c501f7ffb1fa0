import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import type { ReviewStatus, VerdictKind } from '@/lib/base/review-kinds';
import type { ReviewPolicy } from '@/lib/base/review-policy';
import { decide } from '@/lib/base/rights';
import type { Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/projects';
import { liveLabel } from '@/lib/store/releases';
import { readReviewPolicy, writeReviewPolicy } from '@/lib/store/review-policy';
import type { Review } from '@/lib/store/review-rows';
import { findThreads, type ReviewThread } from '@/lib/store/review-threads';
import { checkOpen, closeReview, findReview, findReviews, insertHead, insertReview } from '@/lib/store/reviews';
import { readClosure } from '@/lib/store/revisions';
import { readTree } from '@/lib/store/trees';
import { authorsOf, findVerdicts, insertVerdict, type Verdict } from '@/lib/store/verdicts';
import { listedSince } from './listed-since';
import { webReader } from './reading/web-reader';
import { missingReview } from './review-needs';
import { checkReviewText } from './review-text';
import { type Released, release } from './revisions';
import { withStore, withStoreOnce } from './services';
import { withSnapshot } from './snapshots';

/** Lists reviews, newest first. Throws AppError `not_found`, like all functions below. */
export async function listReviews(
  actor: Actor,
  projectId: ProjectId,
  page: { readonly status?: ReviewStatus | undefined; readonly before?: number | undefined; readonly limit: number },
): Promise<readonly Review[]> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return await findReviews(store, projectId, page);
  });
}

export interface FullReview extends Review {
  readonly authors: readonly string[];
  readonly verdicts: readonly Verdict[];
  readonly threads: readonly ReviewThread[];
  /** What the newest version needs before it may go live. Empty for a closed review. */
  readonly missing: readonly string[];
}

/** Reads a review with its verdicts and comments. */
export async function getReview(actor: Actor, projectId: ProjectId, number: number): Promise<FullReview> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    const review = await findReview(store.prisma, projectId, number);
    const { treeHash } = review.head;
    const [verdicts, threads, closure] = await Promise.all([
      findVerdicts(store.prisma, review.id),
      findThreads(store.prisma, review.id),
      readClosure(store, projectId, review.head.number),
    ]);
    const since = () => listedSince(store, projectId, review.head.number);
    const subject = { project: projectId, treeHash, closure, since };
    const missing = review.status === 'open' ? ((await missingReview(store, subject)) ?? []) : [];
    return { ...review, authors: authorsOf(review), verdicts, threads, missing };
  });
}

/** Opens a review of a draft, which is saved as a revision. Returns its number. Throws AppError `conflict`. */
export async function openReview(
  actor: Actor,
  projectId: ProjectId,
  open: { readonly draft: string; readonly title: string; readonly body: string },
): Promise<{ readonly number: number }> {
  const title = checkReviewText(open.title, 'title');
  const body = checkReviewText(open.body, 'body');
  return await withStoreOnce(actor, 'review.write', { project: projectId }, async ({ store }) => {
    const number = await withSnapshot(store, projectId, { draft: open.draft }, (snapshot) =>
      insertReview(store, projectId, { draft: open.draft, snapshot, title, body }, actor),
    );
    return { number };
  });
}

/**
 * Adds what the draft has now as a version. Comments move with their lines, or become outdated; approvals of other files end. Throws
 * AppError `conflict`.
 */
export async function addVersion(
  actor: Actor,
  projectId: ProjectId,
  number: number,
  message: string,
): Promise<{ readonly version: number; readonly isNew: boolean }> {
  const note = checkReviewText(message, 'body');
  return await withStoreOnce(actor, 'review.write', { project: projectId }, async ({ store }) => {
    const { draft } = await findReview(store.prisma, projectId, number);
    return await withSnapshot(store, projectId, { draft }, async (snapshot) => {
      const after = await findReview(store.prisma, projectId, number);
      checkOpen(after);
      const places = await followed(store, after, snapshot.treeHash);
      return await insertHead(store, projectId, { snapshot, message: note, after, places }, actor);
    });
  });
}

async function followed(store: Store, review: Review, treeHash: string) {
  const threads = (await findThreads(store.prisma, review.id)).filter(({ outdatedIn }) => outdatedIn === null);
  if (threads.length === 0) return new Map();
  const [before, folder] = await Promise.all([
    readTree(store.prisma, review.head.treeHash),
    readTree(store.prisma, treeHash),
  ]);
  const found = await webReader().follow({ before, folder, anchors: threads.map(({ place }) => place) });
  if (!found.ok) throw new AppError('too_large', found.error.message);
  return new Map(threads.map(({ id }, index) => [id, found.value[index] ?? null]));
}

/** Approves a revision, asks for changes, or withdraws what the person said. Throws AppError `conflict` and `not_allowed`. */
export async function giveVerdict(
  actor: Actor,
  projectId: ProjectId,
  number: number,
  said: { readonly verdict: VerdictKind; readonly revision: number; readonly note: string },
): Promise<void> {
  const note = checkReviewText(said.note, 'body');
  await withStoreOnce(actor, 'review.decide', { project: projectId }, ({ store }) =>
    insertVerdict(store, projectId, number, { ...said, note }, actor),
  );
}

/** Withdraws a review. A second time changes nothing. Throws AppError `conflict` for one that was published, and `not_allowed`. */
export async function withdrawReview(actor: Actor, projectId: ProjectId, number: number): Promise<void> {
  await withStoreOnce(actor, 'review.write', { project: projectId }, async ({ store }) => {
    const { author } = await findReview(store.prisma, projectId, number);
    if (author !== actor.by && decide(actor.reach, 'review.decide', projectId) !== 'allowed') {
      throw new AppError('not_allowed', 'Only its author and reviewers of the project withdraw a review.');
    }
    await closeReview(store, projectId, number, actor);
  });
}

/** Publishes the newest version of a review, if the checks pass and live is what the person saw. Throws AppError `conflict`. */
export async function publishReview(
  actor: Actor,
  projectId: ProjectId,
  number: number,
  publish: {
    readonly note: string;
    /** The revision that the person looked at. */
    readonly revision: number;
    /** What was live in the comparison that the person saw; null for nothing. By default what was live when the review was opened. */
    readonly expected?: number | null | undefined;
    readonly override?: string | undefined;
  },
): Promise<Released> {
  const { head, base } = await withStore(actor, 'project.review', { project: projectId }, async (store) => {
    const review = await findReview(store.prisma, projectId, number);
    // A second click finds it published.
    if (review.status !== 'published') checkOpen(review);
    return review;
  });
  if (head.number !== publish.revision) {
    throw new AppError('conflict', `Revision ${head.number} would be published by now. Look at it, then decide.`);
  }
  const { note, override, expected = base ?? null } = publish;
  const target = { revision: head.number };
  return await release(actor, projectId, { label: liveLabel, target, note, override, expected });
}

/** Returns what the project asks before a revision goes live. */
export async function getReviewPolicy(actor: Actor, projectId: ProjectId): Promise<ReviewPolicy> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    await findProject(store, projectId);
    return await readReviewPolicy(store.prisma, projectId);
  });
}

export async function setReviewPolicy(actor: Actor, projectId: ProjectId, policy: ReviewPolicy): Promise<void> {
  await withStoreOnce(actor, 'policy.set', { project: projectId }, async ({ store }) => {
    await findProject(store, projectId);
    await writeReviewPolicy(store, projectId, policy, actor);
  });
}
