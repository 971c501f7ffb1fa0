import type { ApprovalServices } from '@/components/commands/ask-approval';
import type { CheckedRelease } from '@/lib/base/gate';
import type { FileChange } from '@/lib/client/compare-runs';
import type { DraftUpdate, LiveUpdateRequest } from '@/lib/editor/live-update';
import type { CapabilityChange } from '@/lib/graph/changes/capability-change';

/** What a request answers: its value, or a sentence that says why not. */
export type Answered<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** What is published: a draft with the version that a person sees, or a revision. */
export type Published =
  | { readonly draft: string; readonly version: number | undefined }
  | { readonly revision: number };

export interface PublishRequest {
  readonly what: Published;
  readonly label: string;
  readonly note: string;
  readonly expected?: number | null | undefined;
  readonly override: string | undefined;
}

export interface PublishServices {
  /** The id of the project. */
  readonly project: string;
  check(what: Published, label: string): Promise<Answered<CheckedRelease>>;
  /** Opens a review of a draft, and returns its number. */
  openReview(draft: string, note: string): Promise<Answered<number>>;
  publish(request: PublishRequest): Promise<Answered<{ readonly number: number; readonly isNew: boolean }>>;
  /** Asks administrators for what the files start. */
  readonly approval: ApprovalServices;
  /** Queues the tests of what is to be published. */
  test(what: Published): Promise<Answered<unknown>>;
  /** Brings what is live into a draft, or says what a person must choose first. */
  update(draft: string, request?: LiveUpdateRequest): Promise<Answered<DraftUpdate>>;
}

export interface RevisionServices extends PublishServices {
  /** Says what a roll back would make live, and why runs of that would be refused. */
  checkRollBack(label: string): Promise<Answered<{ readonly revision: number; readonly warnings: readonly string[] }>>;
  rollBack(label: string, expected: number, to?: number): Promise<Answered<number>>;
  save(draft: string, message: string): Promise<Answered<{ readonly number: number; readonly isNew: boolean }>>;
  restore(revision: number, draft: string): Promise<Answered<number | undefined>>;
  makeDraft(name: string, from: { readonly draft: string } | { readonly revision: number }): Promise<Answered<void>>;
  renameDraft(draft: string, name: string): Promise<Answered<void>>;
  deleteDraft(draft: string): Promise<Answered<number | undefined>>;
  compare(before: number, after: number): Promise<Answered<ComparedRevisions>>;
}

export interface ComparedRevisions {
  readonly files: readonly FileChange[];
  /** `undefined` if the files cannot be compared by what they can do. */
  readonly capabilities: readonly CapabilityChange[] | undefined;
}

/** A revision as the page shows it. Times are in epoch milliseconds. */
export interface ShownRevision {
  readonly number: number;
  readonly author: string;
  readonly message: string;
  readonly draft: string;
  readonly createdAt: number;
  readonly labels: readonly string[];
}

export interface ShownRelease {
  readonly number: number;
  readonly label: string;
  readonly revision: number;
  readonly kind: 'publish' | 'promote' | 'rollback';
  readonly by: string;
  readonly at: number;
  readonly reason: string;
  readonly overrode: readonly string[];
}

export interface ShownDraft {
  readonly name: string;
  /** The newest revision with the same files. */
  readonly equals: number | undefined;
  /** How many times something went live that it does not have. */
  readonly behind: number;
  readonly updatedAt: number;
}
