import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId } from '@/lib/base/ids';
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
    const [before, folder] = await Promise.all([
      old === undefined ? new Map() : readTree(store.prisma, old),
      readTree(store.prisma, head.treeHash),
    ]);
    const compared = await webReader().compareVersions({ before, folder });
    if (!compared.ok) throw new AppError('too_large', compared.error.message);
    return { ...compared.value, files: await findTreeChanges(store, old, head.treeHash) };
  });
}
