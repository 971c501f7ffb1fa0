import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { TreeHash } from '@/lib/base/ids';
import { type CapabilityList, isConfirmed } from '@/lib/cards/trust/capability';
import type { Store } from '@/lib/store/database';
import { findDrafts } from '@/lib/store/drafts';
import { findProject, type ProjectRow } from '@/lib/store/projects';
import { findLabelledTrees } from '@/lib/store/releases';
import { askFromNow, findWaitingTrees, needsConfirmation } from '@/lib/store/trust';
import { capabilitiesOf } from './trust';

/**
 * Saves something from elsewhere. A project of one's own asks from then on, if that may start or call more than before, now or once it is
 * used. What its drafts, its labelled revisions and its waiting runs start counts as confirmed. `paths` are the saved files.
 */
export async function saveBrought(
  store: Store,
  actor: Actor,
  project: ProjectRow,
  paths: readonly string[],
  save: () => Promise<number>,
): Promise<number> {
  if (needsConfirmation(project.origin)) return await save();
  const own = await ownLists(store, project);
  const startsNothing = paths.every((path) => plainFiles.test(path));
  // Before the save, so that nothing that is saved can start unasked.
  if (!startsNothing) await askFromNow(store, project.id, own, actor);
  const version = await save();
  if (startsNothing && (await startsMore(store, project, own))) await askFromNow(store, project.id, own, actor);
  return version;
}

/** Cards, the settings of Callboard and documents start nothing that the list does not show at once. */
const plainFiles = /(?:^|\/)callboard\.ya?ml$|\.(?:md|markdown|txt|csv|tsv|png|jpe?g|gif|webp|pdf)$/i;

type Lists = ReadonlyMap<TreeHash, CapabilityList>;

async function ownLists(store: Store, project: ProjectRow): Promise<Lists> {
  const drafts = await findDrafts(store, project.id);
  const trees = new Set([
    project.treeHash,
    ...drafts.map(({ treeHash }) => treeHash),
    ...(await findLabelledTrees(store, project.id)),
    ...(await findWaitingTrees(store, project.id)),
  ]);
  const lists = new Map<TreeHash, CapabilityList>();
  for (const tree of trees) {
    const list = await listOf(store, tree);
    if (list !== undefined) lists.set(tree, list);
  }
  return lists;
}

async function startsMore(store: Store, { id, draft }: ProjectRow, own: Lists): Promise<boolean> {
  const now = await listOf(store, (await findProject(store, id, draft)).treeHash);
  return (
    now === undefined ||
    !isConfirmed(
      now,
      [...own.values()].map(({ items }) => items),
    )
  );
}

/** Returns `undefined` for a folder that cannot be read in time. */
async function listOf(store: Store, treeHash: TreeHash): Promise<CapabilityList | undefined> {
  try {
    return await capabilitiesOf(store, treeHash);
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') return undefined;
    throw error;
  }
}
