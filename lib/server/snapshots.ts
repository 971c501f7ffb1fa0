import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { listedIn, makeClosure } from '@/lib/store/closures';
import type { Store } from '@/lib/store/database';
import { readKnownServers } from '@/lib/store/known-servers';
import { findProject } from '@/lib/store/projects';
import { moved, type Snapshot } from '@/lib/store/revisions';
import { readTree } from '@/lib/store/trees';
import { webReader } from './reading/web-reader';

/** A draft that is saved all the time is read so often before the caller is told to wait. */
const attempts = 5;

/**
 * Reads a draft, and calls `work` with what a review of it covers. The draft may be saved meanwhile: if `work` returns `moved`, both are
 * done again. With `version` only that version of the draft counts. Throws AppError `conflict` and `not_found`.
 */
export async function withSnapshot<T>(
  store: Store,
  projectId: ProjectId,
  source: { readonly draft: string; readonly version?: number | undefined },
  work: (snapshot: Snapshot) => Promise<T | typeof moved>,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { treeHash, version } = await findProject(store, projectId, source.draft);
    if (source.version !== undefined && source.version !== version) break;
    const done = await work(await snapshotOf(store, projectId, treeHash));
    if (done !== moved) return done;
  }
  throw new AppError('conflict', `The draft '${source.draft}' was saved meanwhile. Look at it again, then try again.`);
}

/** Reads what a review of a tree covers. A folder that cannot be read is covered as a whole. */
export async function snapshotOf(store: Store, projectId: ProjectId, treeHash: TreeHash): Promise<Snapshot> {
  const [covered, known] = await Promise.all([
    webReader().covered(await readTree(store.prisma, treeHash)),
    readKnownServers(store, projectId),
  ]);
  const closure = await makeClosure(store, treeHash, covered.ok ? covered.value : undefined, known);
  return { treeHash, closure, listed: listedIn(closure, known) };
}
