import type { PublishServices } from '@/components/revisions/revision-types';
import type { CheckResult } from '@/lib/base/gate';
import type { ReviewStatus, VerdictKind } from '@/lib/base/review-kinds';
import type { FileChange } from '@/lib/client/compare-runs';
import type { CapabilityChange } from '@/lib/graph/changes/capability-change';
import type { ReviewAnchor } from '@/lib/graph/review/anchor';
import type { ChangeGroup } from '@/lib/graph/review/change-rows';
import type { ComparedChange } from '@/lib/graph/review/compared-part';
import type { PlacedGraph } from '@/lib/graph/review/merged-graph';

/** Times are in epoch milliseconds. */
export interface ShownReview {
  readonly number: number;
  readonly title: string;
  readonly status: ReviewStatus;
  readonly author: string;
  readonly draft: string;
  readonly version: number;
  readonly createdAt: number;
}

export interface ShownVerdict {
  readonly id: string;
  readonly by: string;
  readonly verdict: VerdictKind;
  readonly note: string;
  readonly at: number;
  readonly staleBy: string | null;
}

export interface ShownComment {
  readonly id: string;
  readonly author: string;
  readonly body: string;
  readonly suggestion: string | null;
  readonly isApplied: boolean;
  readonly at: number;
  readonly isEdited: boolean;
  readonly isDeleted: boolean;
  /** True for a comment of the person who looks. */
  readonly isOwn: boolean;
}

export interface ShownThread {
  readonly id: string;
  readonly anchor: ReviewAnchor;
  readonly place: ReviewAnchor;
  readonly excerpt: string;
  readonly outdatedIn: number | null;
  readonly state: 'open' | 'resolved';
  readonly comments: readonly ShownComment[];
}

/** What went live that the review does not have. */
export interface ShownMove {
  /** The revision that was live last and that the review has. */
  readonly from: number | undefined;
  /** Who wrote what went live since. */
  readonly by: readonly string[];
  readonly capabilities: readonly CapabilityChange[];
  readonly files: readonly string[];
}

export interface FullReview extends ShownReview {
  readonly body: string;
  /** What it is compared with. `undefined` if nothing was live. */
  readonly against: number | undefined;
  /** What went live that the review does not have. `undefined` if there is nothing. */
  readonly moved: ShownMove | undefined;
  /** The revision of the newest version. */
  readonly revision: number;
  readonly verdicts: readonly ShownVerdict[];
  readonly threads: readonly ShownThread[];
  readonly checks: readonly CheckResult[];
  readonly capabilities: readonly ComparedChange[];
  readonly groups: readonly ChangeGroup[];
  /** What was and what is, drawn as one graph. */
  readonly drawing: PlacedGraph;
  readonly files: readonly FileChange[];
  /** Why the person may not approve, besides their role. */
  readonly ownApproval: string | undefined;
}

/** Does something, and returns a sentence if it was refused. */
export type Done = Promise<string | undefined>;

export interface ReviewServices {
  addVersion(): Done;
  decide(verdict: VerdictKind, note: string): Done;
  withdraw(): Done;
  comment(anchor: ReviewAnchor, body: string, suggestion: string | undefined): Done;
  reply(thread: string, body: string): Done;
  edit(thread: string, comment: string, body: string): Done;
  remove(thread: string, comment: string): Done;
  setState(thread: string, state: 'open' | 'resolved'): Done;
  apply(thread: string, comment: string): Done;
}

/** What parts of the page need to show and to take comments. */
export interface Commenting {
  readonly threads: readonly ShownThread[];
  /** Why the person may not comment. */
  readonly refusal: string | undefined;
  readonly onComment: ReviewServices['comment'];
}

export interface GraphChangesProps extends Commenting {
  readonly drawing: PlacedGraph;
  readonly capabilities: readonly ComparedChange[];
  readonly groups: readonly ChangeGroup[];
  /** True while suggestions can be applied. */
  readonly isOpen: boolean;
  readonly services: ThreadServices;
}

/** What people do in threads. */
export type ThreadServices = Pick<ReviewServices, 'reply' | 'edit' | 'remove' | 'setState' | 'apply'>;

export interface ReviewViewProps {
  readonly review: FullReview;
  readonly services: ReviewServices;
  readonly publishing: PublishServices;
  /** Reads the page again. */
  readonly onRefresh: () => void;
}
