import { brandAs, type TreeHash } from '@/lib/base/ids';
import { type ReviewStatus, reviewStatuses } from '@/lib/base/review-kinds';

export interface ReviewHead {
  readonly version: number;
  /** The number of the revision. */
  readonly revision: number;
  readonly by: string;
  readonly byName: string;
  /** Who wrote a part of what was not live when it was added: who saved revisions, and who saved drafts before those. */
  readonly authors: readonly string[];
  readonly at: Date;
}

/** A request to publish what a draft has. */
export interface Review {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly authorName: string;
  readonly draft: string;
  readonly status: ReviewStatus;
  readonly createdAt: Date;
  readonly closedAt: Date | undefined;
  /** The number of the revision that was live when it was opened. */
  readonly base: number | undefined;
  /** The number of the revision that it is compared with: what is live now. For a closed one, what was live when it closed. */
  readonly against: number | undefined;
  /** Its versions, newest first. The first one is what would be published. */
  readonly heads: readonly ReviewHead[];
  /** The number of the newest version. */
  readonly version: number;
  readonly head: {
    readonly id: string;
    readonly number: number;
    readonly treeHash: TreeHash;
    readonly closureHash: string;
  };
}

export const reviewSelect = {
  id: true,
  number: true,
  title: true,
  body: true,
  author: true,
  authorName: true,
  draft: true,
  status: true,
  createdAt: true,
  closedAt: true,
  base: { select: { number: true } },
  against: { select: { number: true } },
  project: { select: { live: { select: { number: true } } } },
  head: { select: { id: true, number: true, treeHash: true, closureHash: true } },
  heads: {
    select: {
      n: true,
      at: true,
      authors: true,
      revision: { select: { number: true, author: true, authorName: true } },
    },
    orderBy: { n: 'desc' },
  },
} as const;

type Numbered = { readonly number: number } | null;

interface Row extends Omit<Review, 'status' | 'closedAt' | 'base' | 'against' | 'heads' | 'version' | 'head'> {
  readonly status: string;
  readonly closedAt: Date | null;
  readonly base: Numbered;
  readonly against: Numbered;
  readonly project: { readonly live: Numbered };
  readonly head: Omit<Review['head'], 'treeHash'> & { readonly treeHash: string };
  readonly heads: readonly {
    readonly n: number;
    readonly at: Date;
    readonly authors: readonly string[];
    readonly revision: { readonly number: number; readonly author: string; readonly authorName: string };
  }[];
}

const storedStatuses: readonly string[] = reviewStatuses;

export function toReview({ status: stored, closedAt, base, against, project, head, heads, ...row }: Row): Review {
  const status = reviewStatuses[storedStatuses.indexOf(stored)] ?? 'open';
  return {
    ...row,
    status,
    closedAt: closedAt ?? undefined,
    base: base?.number,
    against: (status === 'open' ? project.live : against)?.number,
    head: { ...head, treeHash: brandAs<TreeHash>(head.treeHash) },
    version: heads[0]?.n ?? 0,
    heads: heads.map(({ n, at, authors, revision }) => ({
      version: n,
      revision: revision.number,
      by: revision.author,
      byName: revision.authorName,
      authors,
      at,
    })),
  };
}
