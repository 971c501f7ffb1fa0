import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { CapabilityList } from '@/lib/cards/trust/capability';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { hashBlob } from '@/lib/store/hash';

/** The capabilities of an unchanged sample count as confirmed. After a change, the sample needs a confirmation like any project. */
export function sampleTrust(folder: Folder): { readonly origin: 'sample'; readonly confirmed: CapabilityList } {
  return { origin: 'sample', confirmed: listCapabilities(folder, readFolder(folder), hashBlob) };
}
