import { AppError } from '@/lib/base/app-error';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { asksForReview, missingApprovals, type Touched } from '@/lib/base/review-policy';
import { type Closure, hashesOf } from '@/lib/cards/closure';
import type { Store } from '@/lib/store/database';
import { readReviewPolicy } from '@/lib/store/review-policy';
import { findLive } from '@/lib/store/reviews';
import { readEntries, readTree } from '@/lib/store/trees';
import { heldVerdicts } from '@/lib/store/verdicts';
import { webReader } from './reading/web-reader';

interface Subject {
  readonly project: ProjectId;
  readonly treeHash: TreeHash;
  readonly closure: Closure;
  /** Says what servers list since, and so ends the approvals of what is to be published. */
  readonly since?: (() => Promise<readonly string[]>) | undefined;
}

/**
 * Returns the approvals that are missing before a tree may go live. Returns `undefined` if the project asks for none. Throws AppError
 * `too_large` for folders that cannot be compared in time, where agents have owners.
 */
export async function missingReview(
  store: Store,
  { project, treeHash, closure, since }: Subject,
): Promise<readonly string[] | undefined> {
  const policy = await readReviewPolicy(store.prisma, project);
  if (!asksForReview(policy)) return undefined;
  const now = await findLive(store.prisma, project);
  // A second click publishes nothing. The approvals ended with their review.
  if (now?.treeHash === treeHash && hashesOf(closure).includes(now.closureHash)) return [];
  const live = now?.treeHash;
  const [before, after] = await Promise.all([
    live === undefined ? [] : readEntries(store.prisma, live),
    readEntries(store.prisma, treeHash),
  ]);
  const paths = changedPaths(before, after);
  const verdicts = await heldVerdicts(store.prisma, project, { closure, entries: after, changed: paths });
  const needsAgents = policy.owners.some(({ pattern }) => pattern.startsWith('agent:'));
  const agents = needsAgents && paths.length > 0 ? await agentsBetween(store, live, treeHash, paths) : [];
  const changed = (await since?.()) ?? [];
  const missing = missingApprovals(policy, changed.length > 0 ? [] : verdicts, { paths, agents });
  return missing.length === 0 ? [] : [...missing, ...changed];
}

async function agentsBetween(
  store: Store,
  live: TreeHash | undefined,
  treeHash: TreeHash,
  changed: readonly string[],
): Promise<readonly string[]> {
  const [before, folder] = await Promise.all([
    live === undefined ? new Map() : readTree(store.prisma, live),
    readTree(store.prisma, treeHash),
  ]);
  const touched = await webReader().touched({ before, folder, changed });
  if (!touched.ok) throw new AppError('too_large', touched.error.message);
  return touched.value;
}

type Entries = readonly (readonly [path: string, blob: string, ...rest: unknown[]])[];

function changedPaths(before: Entries, after: Entries): Touched['paths'] {
  const entries = (list: Entries) => new Map(list.map(([path, ...what]) => [path, what.join(' ')]));
  const [old, now] = [entries(before), entries(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path)).sort();
}
