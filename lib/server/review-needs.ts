import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import { asksForReview, missingApprovals, type Touched } from '@/lib/base/review-policy';
import type { Closure } from '@/lib/cards/closure';
import type { Store } from '@/lib/store/database';
import { readReviewPolicy } from '@/lib/store/review-policy';
import { findLiveTree } from '@/lib/store/reviews';
import { readEntries, readTree } from '@/lib/store/trees';
import { heldVerdicts } from '@/lib/store/verdicts';
import { checkProject } from './projects';

interface Subject {
  readonly project: ProjectId;
  readonly treeHash: TreeHash;
  readonly closure: Closure;
  readonly cards: readonly Named[];
  /** Says what servers list since, and so ends the approvals of what is to be published. */
  readonly since?: (() => Promise<readonly string[]>) | undefined;
}

interface Named {
  readonly file: string;
  readonly name: string;
}

/** Returns the approvals that are missing before a tree may go live. Returns `undefined` if the project asks for none. */
export async function missingReview(
  store: Store,
  actor: Actor,
  { project, treeHash, closure, cards, since }: Subject,
): Promise<readonly string[] | undefined> {
  const policy = await readReviewPolicy(store.prisma, project);
  if (!asksForReview(policy)) return undefined;
  const live = await findLiveTree(store.prisma, project);
  const [before, after] = await Promise.all([
    live === undefined ? [] : readEntries(store.prisma, live),
    readEntries(store.prisma, treeHash),
  ]);
  const paths = changedPaths(before, after);
  const verdicts = await heldVerdicts(store.prisma, project, { closure, entries: after, changed: paths });
  const needsAgents = policy.owners.some(({ pattern }) => pattern.startsWith('agent:'));
  const cardsBefore =
    needsAgents && live !== undefined ? (await checkProject(actor, await readTree(store.prisma, live))).cards : [];
  const touched = { paths, agents: agentsIn(paths, [...cardsBefore, ...cards]) };
  const changed = (await since?.()) ?? [];
  const missing = missingApprovals(policy, changed.length > 0 ? [] : verdicts, touched);
  return missing.length === 0 ? [] : [...missing, ...changed];
}

type Entries = readonly (readonly [path: string, blob: string, ...rest: unknown[]])[];

function changedPaths(before: Entries, after: Entries): Touched['paths'] {
  const entries = (list: Entries) => new Map(list.map(([path, ...what]) => [path, what.join(' ')]));
  const [old, now] = [entries(before), entries(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path)).sort();
}

function agentsIn(paths: readonly string[], cards: readonly Named[]): readonly string[] {
  const touched = new Set(paths);
  return [...new Set(cards.flatMap(({ file, name }) => (touched.has(file) ? [name] : [])))];
}
