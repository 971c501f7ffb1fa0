import type { Actor } from '@/lib/base/actor';
import type { ProjectId, TreeHash } from '@/lib/base/ids';
import type { PartKind, PartUse, PartUses, UsedPart } from '@/lib/base/uses';
import type { Store } from '@/lib/store/database';
import { findProject } from '@/lib/store/projects';
import {
  countGrants,
  findNamedTrees,
  findParts,
  findRunTrees,
  type NamedTree,
  type RunTree,
  storeParts,
} from '@/lib/store/tree-parts';
import { readTree } from '@/lib/store/trees';
import { webReader } from './reading/web-reader';
import { withScope, withStore } from './services';

/** So many sets of files are read for one question. The next question reads further ones. */
const mostRead = 60;

/**
 * Finds where a part of a project is used: in its drafts and in what its labels name, and in every other project that the actor may read and
 * that has a part with equal content. Throws AppError `not_found`.
 */
export async function findUses(
  actor: Actor,
  projectId: ProjectId,
  part: { readonly kind: PartKind; readonly name: string; readonly draft: string },
): Promise<PartUses> {
  const { grants, treeHash } = await withStore(actor, 'project.read', { project: projectId }, async (store) => ({
    grants: await countGrants(store, projectId, part),
    treeHash: (await findProject(store, projectId, part.draft)).treeHash,
  }));
  return await withScope(actor, 'project.read', async (store, scope) => {
    // The content of the part as it is in the draft is what others are compared with.
    await readMissing(store, [treeHash]);
    const mine = (await findParts(store, [treeHash], { ...part, hash: '' })).get(treeHash)?.[0];
    const hash = mine?.hash ?? '';
    const trees = await findNamedTrees(store, projectId, scope);
    const unread = await readMissing(
      store,
      trees.map((tree) => tree.treeHash),
    );
    const found = await findParts(
      store,
      trees.map((tree) => tree.treeHash),
      { ...part, hash },
    );
    const uses = trees.flatMap((tree) => useIn(tree, found.get(tree.treeHash) ?? [], { projectId, hash, ...part }));
    const named = new Set(trees.flatMap((tree) => (tree.projectId === projectId ? [tree.treeHash] : [])));
    const earlier = (await findRunTrees(store, projectId)).filter((tree) => !named.has(tree.treeHash));
    const ran = await runsWith(store, earlier, part);
    return { uses, grants, earlierRuns: ran.runs, unread: unread + ran.unread };
  });
}

/** Counts the runs whose files had a part with this name. */
async function runsWith(
  store: Store,
  trees: readonly RunTree[],
  part: { readonly kind: PartKind; readonly name: string },
): Promise<{ readonly runs: number; readonly unread: number }> {
  const hashes = trees.map((tree) => tree.treeHash);
  const unread = await readMissing(store, hashes);
  const found = await findParts(store, hashes, { ...part, hash: '' });
  const counted = trees.filter(({ treeHash }) => (found.get(treeHash)?.length ?? 0) > 0);
  return { runs: counted.reduce((sum, { runs }) => sum + runs, 0), unread };
}

interface Asked {
  readonly projectId: ProjectId;
  readonly kind: PartKind;
  readonly name: string;
  readonly hash: string;
}

function useIn(tree: NamedTree, parts: readonly UsedPart[], asked: Asked): readonly PartUse[] {
  const isOwn = tree.projectId === asked.projectId;
  // A part of another project counts if its content is the same: an equal name alone says nothing.
  const counted = parts.filter(({ name, hash }) =>
    isOwn ? name === asked.name : asked.hash !== '' && hash === asked.hash,
  );
  const [first] = counted;
  if (first === undefined) return [];
  const merged = (of: (part: UsedPart) => readonly string[]) => [...new Set(counted.flatMap(of))].sort();
  return [
    {
      ...{ project: tree.projectId, projectName: tree.projectName, isOwn, places: tree.places, runs: tree.runs },
      ...{ agents: merged(({ agents }) => agents), tests: merged(({ tests }) => tests) },
      isSame: first.hash === asked.hash,
    },
  ];
}

/** Reads those trees that were not read yet, up to a number. Returns how many are left. */
export async function readMissing(store: Store, hashes: readonly TreeHash[]): Promise<number> {
  const known = await findParts(store, hashes, { kind: 'agent', name: '', hash: '' });
  const missing = [...new Set(hashes)].filter((hash) => !known.has(hash));
  for (const hash of missing.slice(0, mostRead)) {
    const read = await webReader().parts(await readTree(store.prisma, hash));
    // Files that take too long to read are not looked into again and again.
    await storeParts(store, hash, read.ok ? read.value : []);
  }
  return Math.max(0, missing.length - mostRead);
}
