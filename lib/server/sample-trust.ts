import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/read-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { hashBlob } from '@/lib/store/hash';
import type { NewTrust } from '@/lib/store/trust';

/** A folder that comes with Callboard may start what it comes with. What is changed in it later asks, as in any other. */
export function sampleTrust(folder: Folder): NewTrust {
  return { origin: 'sample', confirmed: listCapabilities(folder, readFolder(folder), hashBlob) };
}
