import { randomUUID } from 'node:crypto';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
import { type VerdictKind, verdictKinds } from '@/lib/base/review-kinds';
import type { HeldVerdict } from '@/lib/base/review-policy';
import { type Closure, hashesOf } from '@/lib/cards/closure';
import { appendAuditIn } from './audit';
import { closureOfStored } from './closures';
import type { Store } from './database';
import { lockProject } from './draft-lock';
import { readReviewPolicy } from './review-policy';
import type { ReviewHead } from './review-rows';
import { checkOpen, findReview, nameOf } from './reviews';
import { type Db, readEntries, type TreeEntries } from './trees';
import { writing } from './writing';

export interface Verdict {
  readonly id: string;
  readonly by: string;
  readonly byName: string;
  readonly verdict: VerdictKind;
  readonly note: string;
  readonly at: Date;
  /** The number of the revision that it was given for. */
  readonly revision: number;
  readonly closureHash: string;
  /** Why it counts no longer, and since when. Null while it counts. */
  readonly staleAt: Date | null;
  readonly staleBy: string | null;
}

/** Lists the verdicts of a review, oldest first. */
export async function findVerdicts(db: Db, reviewId: string): Promise<readonly Verdict[]> {
  const rows = await db.verdict.findMany({
    where: { reviewId },
    include: { revision: { select: { number: true } } },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ reviewId: _, revisionId: _id, revision, verdict, ...row }) => ({
    ...row,
    revision: revision.number,
    verdict: kindOf(verdict),
  }));
}

const storedKinds: readonly string[] = verdictKinds;

function kindOf(stored: string): VerdictKind {
  return verdictKinds[storedKinds.indexOf(stored)] ?? 'withdrawn';
}

interface Written {
  readonly author: string;
  readonly heads: readonly Pick<ReviewHead, 'by' | 'authors'>[];
}

/** Everybody who wrote a part of a review: its author, who saved its versions, and who saved the draft before that. */
export function authorsOf({ author, heads }: Written): readonly string[] {
  return [...new Set([author, ...heads.flatMap(({ by, authors }) => [by, ...authors])])];
}

/**
 * Records a verdict about a revision in place of what the person said before. Throws AppError `conflict` if the review has another version
 * by now, and `not_allowed` for an approval of the person's own change where the project forbids that.
 */
export async function insertVerdict(
  store: Store,
  projectId: ProjectId,
  number: number,
  said: { readonly verdict: VerdictKind; readonly revision: number; readonly note: string },
  actor: Actor,
): Promise<void> {
  await store.prisma.$transaction(async (db) => {
    await lockProject(db, projectId);
    const review = await findReview(db, projectId, number);
    checkOpen(review);
    const { verdict, note } = said;
    if (review.head.number !== said.revision && verdict !== 'withdrawn') {
      const now = `Version ${review.version} of this review is revision ${review.head.number}`;
      throw new AppError('conflict', `${now}, and you looked at revision ${said.revision}. Look at it, then decide.`);
    }
    const { authorMayApprove } = await readReviewPolicy(db, projectId);
    if (verdict === 'approve' && !authorMayApprove && authorsOf(review).includes(actor.by)) {
      throw new AppError('not_allowed', 'You wrote a part of this change. Here somebody else has to approve it.');
    }
    const mine = { reviewId: review.id, by: actor.by, staleAt: null, verdict: { not: 'withdrawn' } };
    const current = await db.verdict.findFirst({ where: mine });
    if (current === null && verdict === 'withdrawn') {
      throw new AppError('conflict', 'You have no verdict here that counts.');
    }
    const isSame = current?.verdict === verdict && current.revisionId === review.head.id;
    if (isSame && current.note === note) return;
    const why = verdict === 'withdrawn' ? 'withdrew it' : 'decided again';
    await db.verdict.updateMany({ where: mine, data: { staleAt: new Date(), staleBy: `${nameOf(actor)} ${why}` } });
    const id = randomUUID();
    await db.verdict.create({
      data: {
        id,
        reviewId: review.id,
        revisionId: review.head.id,
        closureHash: review.head.closureHash,
        by: actor.by,
        byName: nameOf(actor),
        verdict,
        note,
      },
    });
    const body = { review: number, revision: review.head.number, closure: review.head.closureHash, verdict: id };
    await appendAuditIn(db, { actor, action: auditActionOf[verdict], object: projectId, project: projectId, body });
  }, writing);
}

const auditActionOf = {
  approve: 'review.approved',
  request_changes: 'review.changes_requested',
  withdrawn: 'review.verdict_withdrawn',
} as const;

/** What is to be published. */
export interface Published {
  readonly closure: Closure;
  readonly entries: TreeEntries;
  /** The files that differ from what is live. */
  readonly changed: readonly string[];
}

/** Returns the verdicts that hold for a closure. They count while their review is open: what went live and comes back is another change. */
export async function heldVerdicts(
  db: Db,
  projectId: ProjectId,
  { closure, entries, changed }: Published,
): Promise<readonly HeldVerdict[]> {
  const hashes = [...hashesOf(closure)];
  const rows = await db.verdict.findMany({
    where: { closureHash: { in: hashes }, staleAt: null, review: { projectId, status: 'open' } },
    select: {
      by: true,
      byName: true,
      verdict: true,
      revision: { select: { closure: true, treeHash: true } },
      review: {
        select: { author: true, heads: { select: { authors: true, revision: { select: { author: true } } } } },
      },
    },
    orderBy: { at: 'asc' },
  });
  const covered = new Set(closure.parts.flatMap(([kind, name]) => (kind === 'server' ? [] : [name])));
  const blobs = new Map(entries.map(([path, blob]) => [path, blob]));
  const held: HeldVerdict[] = [];
  for (const { by, byName, verdict, revision, review } of rows) {
    if (verdict !== 'approve' && verdict !== 'request_changes') continue;
    if ((await closureOfStored(db, revision)).hash !== closure.hash) continue;
    const seen = new Map((await readEntries(db, revision.treeHash)).map(([path, blob]) => [path, blob]));
    const unseen = changed.filter((path) => !covered.has(path) && seen.get(path) !== blobs.get(path));
    const heads = review.heads.map((each) => ({ by: each.revision.author, authors: each.authors }));
    const authors = authorsOf({ author: review.author, heads });
    held.push({ by, byName, verdict, authors, unseen });
  }
  return held;
}
