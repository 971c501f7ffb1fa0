import { ByteCache } from '@/lib/base/byte-cache';
import type { TreeHash } from '@/lib/base/ids';
import type { CapabilityList } from '@/lib/cards/trust/capability';

/** A tree never changes, so its list holds for ever. */
const remembered = new ByteCache<TreeHash, CapabilityList>(16_000_000);
/** About what an item takes: a name, a detail, notes, a hash. */
const bytesPerItem = 1_000;

/** What runs of a stored tree would start or call. `list` is called only when this process has not listed the tree yet. */
export async function capabilitiesOfTree(hash: TreeHash, list: () => Promise<CapabilityList>): Promise<CapabilityList> {
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  const listed = await list();
  remembered.set(hash, listed, (listed.items.length + listed.models.length + 1) * bytesPerItem);
  return listed;
}
