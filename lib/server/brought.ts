import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { TreeHash } from '@/lib/base/ids';
import { type CapabilityList, isConfirmed } from '@/lib/cards/trust/capability';
import type { Store } from '@/lib/store/database';
import { findProject, type ProjectRow } from '@/lib/store/projects';
import { askFromNow, needsConfirmation } from '@/lib/store/trust';
import { capabilitiesOf } from './trust';

/**
 * Lets a project of one's own ask from now on, after something from elsewhere was saved in it that starts or calls more than
 * before. What the folder named before that counts as confirmed. `before` is the project before the save.
 */
export async function askForBrought(store: Store, actor: Actor, before: ProjectRow): Promise<void> {
  if (needsConfirmation(before.origin)) return;
  const { treeHash } = await findProject(store, before.id, before.draft);
  const [own, now] = [await listOf(store, before.treeHash), await listOf(store, treeHash)];
  if (own !== undefined && now !== undefined && isConfirmed(now, [own.items])) return;
  await askFromNow(store, before.id, own, actor);
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
