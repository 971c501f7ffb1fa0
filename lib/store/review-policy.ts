import type { Actor } from '@/lib/base/actor';
import type { ProjectId } from '@/lib/base/ids';
import { noReviewPolicy, type ReviewPolicy, reviewPolicy } from '@/lib/base/review-policy';
import { appendAuditIn } from './audit';
import type { Store } from './database';
import type { Db } from './trees';

/** Returns what a project asks before a revision goes live. */
export async function readReviewPolicy(db: Db, projectId: ProjectId): Promise<ReviewPolicy> {
  const row = await db.reviewPolicy.findUnique({
    where: { projectId },
    select: { approvals: true, authorMayApprove: true, owners: true },
  });
  return row === null ? noReviewPolicy : reviewPolicy.parse(row);
}

export async function writeReviewPolicy(
  store: Store,
  projectId: ProjectId,
  { approvals, authorMayApprove, owners }: ReviewPolicy,
  actor: Actor,
): Promise<void> {
  const data = { approvals, authorMayApprove, owners: [...owners], by: actor.by, at: new Date() };
  await store.prisma.$transaction(async (db) => {
    await db.reviewPolicy.upsert({ where: { projectId }, create: { projectId, ...data }, update: data });
    const body = { approvals, authorMayApprove, owners: owners.length };
    await appendAuditIn(db, { actor, action: 'review.policy_set', object: projectId, project: projectId, body });
  });
}
