import type { TreeHash } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { hashBlob } from './hash';

/** A tree never changes, so its list holds for ever. */
const remembered = new Map<TreeHash, CapabilityList>();
const maxRemembered = 200;

/** What runs of a stored tree would start or call. `read` is called only when this process has not listed the tree yet. */
export async function capabilitiesOfTree(
  hash: TreeHash,
  read: () => Promise<{ readonly folder: Folder; readonly parsed: ParsedFolder }>,
): Promise<CapabilityList> {
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  const { folder, parsed } = await read();
  const list = listCapabilities(folder, parsed, hashBlob);
  const [oldest] = remembered.keys();
  if (remembered.size >= maxRemembered && oldest !== undefined) remembered.delete(oldest);
  remembered.set(hash, list);
  return list;
}
