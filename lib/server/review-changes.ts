import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { KnownServers, ListedTools } from '@/lib/base/known-servers';
import type { CapabilityChange } from '@/lib/graph/changes/capability-change';
import type { Listed } from '@/lib/graph/changes/capability-changes';
import type { Store } from '@/lib/store/database';
import { readKnownServers } from '@/lib/store/known-servers';
import { liveLine } from '@/lib/store/live-line';
import type { Review } from '@/lib/store/review-rows';
import { findReview } from '@/lib/store/reviews';
import { findRevision, readListed } from '@/lib/store/revisions';
import { findTreeChanges, type TreeChange } from '@/lib/store/tree-changes';
import { readTree } from '@/lib/store/trees';
import type { ReviewComparison } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { withStore } from './services';

export interface ReviewChanges extends ReviewComparison {
  /** The number of the revision with which it is compared. `undefined` if nothing was live. */
  readonly against: number | undefined;
  readonly files: readonly TreeChange[];
  /** What went live that the review does not have, and would be lost. `undefined` if there is nothing, and for closed reviews. */
  readonly moved: LiveMoved | undefined;
}

export interface LiveMoved {
  /** The revision that was live last and that the review has. */
  readonly from: number | undefined;
  /** Who wrote what went live since, in the order of the revisions. Empty if live was only rolled back. */
  readonly by: readonly string[];
  /** Those changes of power that come from the move of live alone. */
  readonly capabilities: readonly CapabilityChange[];
  /** Files that live got since then in another state than the review has. */
  readonly files: readonly string[];
}

/**
 * Compares the newest version of a review with what is live, or with nothing; one that is closed, with what was live when it closed.
 * Nothing of the folders runs. Throws AppError `not_found`, and `too_large` for folders that cannot be read in time.
 */
export async function readReviewChanges(actor: Actor, projectId: ProjectId, number: number): Promise<ReviewChanges> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const review = await findReview(store.prisma, projectId, number);
    const { against, head } = review;
    const old = await treeOf(store, projectId, against);
    const [compared, files] = await Promise.all([
      compareRevisions(store, projectId, against, head.number),
      findTreeChanges(store, old, head.treeHash),
    ]);
    if (!compared.ok) throw new AppError('too_large', compared.error.message);
    const moved = await liveMoved(store, projectId, review, { old, files, ...compared.value });
    return { ...compared.value, against, files, moved };
  });
}

/** A change against live, but not against what the review continues, undoes something that went live meanwhile. */
async function liveMoved(
  store: Store,
  projectId: ProjectId,
  { status, against, head }: Review,
  now: Pick<ReviewChanges, 'capabilities' | 'files'> & { readonly old: TreeHash | undefined },
): Promise<LiveMoved | undefined> {
  if (status !== 'open' || against === undefined) return undefined;
  const { takenIn, missed } = await liveLine(store.prisma, projectId, [head.id]);
  if (missed.length === 0) return undefined;
  const base = takenIn?.number;
  const opened = takenIn?.treeHash;
  const [first, moves] = await Promise.all([
    compareRevisions(store, projectId, base, head.number),
    now.old === undefined ? [] : findTreeChanges(store, opened, now.old),
  ]);
  if (!first.ok) throw new AppError('too_large', first.error.message);
  const asked = new Set(first.value.capabilities.map(({ sentence }) => sentence));
  const different = new Set(now.files.map(({ path }) => path));
  return {
    from: base,
    by: [...new Set(missed.flatMap(({ author, wasRolledBack }) => (wasRolledBack ? [] : [author])))],
    capabilities: now.capabilities.filter(({ sentence }) => !asked.has(sentence)),
    files: moves.flatMap(({ path }) => (different.has(path) ? [path] : [])),
  };
}

async function treeOf(store: Store, projectId: ProjectId, number: number | undefined): Promise<TreeHash | undefined> {
  return number === undefined ? undefined : (await findRevision(store, projectId, number)).treeHash;
}

export interface RevisionChanges {
  readonly files: readonly TreeChange[];
  /** What the later one can do more, less or differently. `undefined` for folders that cannot be read in time. */
  readonly capabilities: readonly CapabilityChange[] | undefined;
}

/** Compares two revisions. Throws AppError `not_found`. */
export async function readRevisionChanges(
  actor: Actor,
  projectId: ProjectId,
  before: number,
  after: number,
): Promise<RevisionChanges> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const [old, now] = [await findRevision(store, projectId, before), await findRevision(store, projectId, after)];
    const [compared, files] = await Promise.all([
      compareRevisions(store, projectId, before, after),
      findTreeChanges(store, old.treeHash, now.treeHash),
    ]);
    return { files, capabilities: compared.ok ? compared.value.capabilities : undefined };
  });
}

/** Compares two revisions by their numbers, or one with nothing. */
async function compareRevisions(store: Store, projectId: ProjectId, old: number | undefined, now: number) {
  const [before, after, known] = await Promise.all([
    old === undefined ? undefined : readSide(store, projectId, old),
    readSide(store, projectId, now),
    readKnownServers(store, projectId),
  ]);
  return await webReader().compareVersions({
    before: before?.folder ?? new Map(),
    folder: after.folder,
    listed: listsOf(before?.listed, after.listed, known),
  });
}

async function readSide(store: Store, projectId: ProjectId, number: number) {
  const [{ treeHash }, listed] = await Promise.all([
    findRevision(store, projectId, number),
    readListed(store, projectId, number),
  ]);
  return { folder: await readTree(store.prisma, treeHash), listed };
}

/** Servers of which neither side knows a list are read with what they listed last, which tells nothing but names. */
function listsOf(before: ListedTools | undefined, after: ListedTools | undefined, known: KnownServers): Listed {
  const last = Object.fromEntries(Object.entries(known).map(([server, { prints }]) => [server, prints.tools]));
  return { before, after: { ...last, ...(after ?? before) } };
}
