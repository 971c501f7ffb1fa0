import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { CapabilityChange } from '@/lib/graph/changes/capability-change';
import type { ListedTools } from '@/lib/graph/changes/project-side';
import type { Store } from '@/lib/store/database';
import { readKnownServers } from '@/lib/store/known-servers';
import { findReview } from '@/lib/store/reviews';
import { findRevision } from '@/lib/store/revisions';
import { findTreeChanges, type TreeChange } from '@/lib/store/tree-changes';
import { readTree } from '@/lib/store/trees';
import type { ReviewComparison } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { withStore } from './services';

export interface ReviewChanges extends ReviewComparison {
  readonly files: readonly TreeChange[];
}

/**
 * Compares the newest version of a review with what was live when it was opened, or with nothing. Nothing of the folders runs. Throws
 * AppError `not_found`, and `too_large` for folders that cannot be read in time.
 */
export async function readReviewChanges(actor: Actor, projectId: ProjectId, number: number): Promise<ReviewChanges> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const { base, head } = await findReview(store.prisma, projectId, number);
    const old = base === undefined ? undefined : (await findRevision(store, projectId, base)).treeHash;
    const [compared, files] = await Promise.all([
      compareTrees(store, projectId, old, head.treeHash),
      findTreeChanges(store, old, head.treeHash),
    ]);
    if (!compared.ok) throw new AppError('too_large', compared.error.message);
    return { ...compared.value, files };
  });
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
      compareTrees(store, projectId, old.treeHash, now.treeHash),
      findTreeChanges(store, old.treeHash, now.treeHash),
    ]);
    return { files, capabilities: compared.ok ? compared.value.capabilities : undefined };
  });
}

async function compareTrees(store: Store, projectId: ProjectId, old: TreeHash | undefined, now: TreeHash) {
  const [before, folder, known] = await Promise.all([
    old === undefined ? new Map() : readTree(store.prisma, old),
    readTree(store.prisma, now),
    readKnownServers(store, projectId),
  ]);
  // Older lists are not kept, so both sides are read with what servers listed last.
  const tools: ListedTools = Object.fromEntries(
    Object.entries(known).map(([server, { prints }]) => [server, Object.keys(prints.tools)]),
  );
  return await webReader().compareVersions({ before, folder, listed: { before: tools, after: tools } });
}
