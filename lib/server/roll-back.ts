import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { Store } from '@/lib/store/database';
import { readPolicy } from '@/lib/store/policy';
import { findEarlier } from '@/lib/store/releases';
import { findRevision } from '@/lib/store/revisions';
import { breachesOfTree } from './policy';
import { withStore } from './services';

/** What a roll back would do now. */
export interface RollBackCheck {
  /** The revision that the label would name. */
  readonly revision: number;
  /** Why its runs would be refused, a sentence each. They do not stop the roll back. */
  readonly warnings: readonly string[];
}

/** Says what a roll back would do. Nothing is moved. Throws AppError `conflict` if there is no earlier revision, and `not_found`. */
export async function checkRollBack(
  actor: Actor,
  projectId: ProjectId,
  back: { readonly label: string; readonly to?: number | undefined },
): Promise<RollBackCheck> {
  return await withStore(actor, 'project.read', { project: projectId }, async (store) => {
    const { number, treeHash } = await (back.to === undefined
      ? findEarlier(store.prisma, projectId, back.label)
      : findRevision(store, projectId, back.to));
    return { revision: number, warnings: await refusedRuns(store, projectId, treeHash) };
  });
}

/** So many broken rules are told. */
const most = 5;

/** Returns which rules of the team a tree breaks by now, so that its runs are refused. Rules that only warn refuse nothing. */
export async function refusedRuns(store: Store, project: ProjectId, treeHash: TreeHash): Promise<readonly string[]> {
  try {
    const breaches = await breachesOfTree(store, project, treeHash, await readPolicy(store, project));
    const blocking = breaches.flatMap(({ rule, message }) => (rule.level === 'block' ? [message] : []));
    const told = [...new Set(blocking)];
    const more = told.length - most;
    return more > 0 ? [...told.slice(0, most), `${more} more places break rules.`] : told;
  } catch (error) {
    // A roll back is the way out of trouble, so it does not wait for a folder that takes too long to read.
    if (error instanceof AppError && error.code === 'too_large') {
      return ['Whether it keeps the rules of the team could not be checked in time.'];
    }
    throw error;
  }
}
