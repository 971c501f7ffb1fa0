import { randomUUID } from 'node:crypto';
import type { ProjectId } from '@/lib/base/ids';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import type { Store } from '@/lib/store/database';
import { mainDraft } from '@/lib/store/draft-lock';
import { toJsonText } from '@/lib/store/json-text';

/** What a review is made of. */
export interface ReviewedParts {
  /** The name of a draft beside `main`. The review is about it. */
  readonly draft: string;
  /** The number of a revision. It is live. */
  readonly revision: number;
  /** The number of an open review. */
  readonly review: number;
  /** About a line of a card. */
  readonly thread: string;
  /** It suggests another text for the line. */
  readonly comment: string;
}

interface Reviewed {
  readonly project: ProjectId;
  readonly tree: string;
  readonly mark: string;
  /** A text file of the tree. */
  readonly file: string;
}

/** The mail address of the people of ./actors.ts. */
export const ann = 'ann@example.org';

/** A number is given once, so that none of one project finds anything in another one. */
let last = 100;

/** Stores a revision that is live, a draft, and an open review of the draft with a thread of one comment. */
export async function reviewedParts(store: Store, { project, tree, mark, file }: Reviewed): Promise<ReviewedParts> {
  const { prisma } = store;
  const revision = last + 1;
  const review = last + 2;
  last = review;
  const [draft, thread, comment, revisionId, reviewId] = [
    `draft-${revision}`,
    ...[randomUUID(), randomUUID(), randomUUID(), randomUUID()],
  ] as const;
  const own = { projectId: project, treeHash: tree };
  const saved = { author: 'local', authorName: mark, message: mark, draft, closure: '[]', closureHash: revisionId };
  const opened = { number: review, title: mark, body: mark, author: ann, authorName: mark, draft };
  const anchor: ReviewAnchor = { kind: 'line', file, from: 1, to: 1 };
  const about = { anchor, place: anchor, version: 1, excerpt: toJsonText(mark) };
  const said = { author: ann, authorName: mark, body: mark, mentions: [], suggestion: toJsonText(mark) };
  await prisma.$transaction([
    prisma.revision.create({ data: { id: revisionId, number: revision, ...own, ...saved } }),
    prisma.project.update({ where: { id: project }, data: { liveId: revisionId } }),
    prisma.draft.create({ data: { name: draft, baseId: revisionId, ...own } }),
    prisma.draft.update({
      where: { projectId_name: { projectId: project, name: mainDraft } },
      data: { baseId: revisionId },
    }),
    prisma.review.create({ data: { id: reviewId, projectId: project, headId: revisionId, ...opened } }),
    prisma.reviewHead.create({ data: { reviewId, n: 1, revisionId } }),
    prisma.reviewThread.create({ data: { id: thread, reviewId, ...about } }),
    prisma.reviewComment.create({ data: { id: comment, threadId: thread, ...said } }),
  ]);
  return { draft, revision, review, thread, comment };
}
