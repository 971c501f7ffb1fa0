import { LRUCache } from 'lru-cache';
import type { TreeHash } from '@/lib/base/ids';
import type { CapabilityList } from '@/lib/cards/trust/capability';

/** A tree never changes, so its cached list stays valid. */
const remembered = new LRUCache<TreeHash, CapabilityList>({ maxSize: 16_000_000, sizeCalculation: bytesOf });
/** An item takes about this much memory without the text of its detail and notes. */
const bytesPerItem = 1_000;

/** Lists what runs of a stored tree would start or call. `list` is called only if this process has no list of the tree yet. */
export async function capabilitiesOfTree(hash: TreeHash, list: () => Promise<CapabilityList>): Promise<CapabilityList> {
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  const listed = await list();
  remembered.set(hash, listed);
  return listed;
}

function bytesOf({ items, models, commands }: CapabilityList): number {
  const texts = items.reduce((sum, { detail, notes }) => sum + detail.length + notes.join('').length, 0);
  const files = commands.reduce((sum, command) => sum + command.files.length + 1, 0);
  return (items.length + models.length + files + 1) * bytesPerItem + 2 * texts;
}
