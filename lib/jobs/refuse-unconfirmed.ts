import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { RunError } from '@/lib/runtime/events';
import type { TakenRun } from '@/lib/store/take-run';
import { capabilitiesOfTree } from '@/lib/store/tree-capabilities';
import { needsConfirmation } from '@/lib/store/trust';

/**
 * Why a worker must not execute a run: the folder is not the operator's own, and the run was not started under a
 * confirmation of exactly what its frozen tree would start or call. Undefined: it may. Checked on every attempt, so a run
 * that is resumed, or put into the queue by other means, is held to the same rule.
 */
export async function refuseUnconfirmed(
  { origin, confirmedHash, treeHash }: Pick<TakenRun, 'origin' | 'confirmedHash' | 'treeHash'>,
  folder: Folder,
  parsed: ParsedFolder,
): Promise<RunError | undefined> {
  if (!needsConfirmation(origin)) return undefined;
  const list = await capabilitiesOfTree(treeHash, async () => ({ folder, parsed }));
  if (list.items.length === 0 || list.hash === confirmedHash) return undefined;
  const message =
    'Nobody has confirmed what this folder would start or call, so nothing was started. Open the project, press Run and look at the list.';
  return { code: 'not_trusted', message };
}
