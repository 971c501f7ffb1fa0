import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import { hashBlob } from '@/lib/store/hash';
import type { NewTrust } from '@/lib/store/trust';

/** The capabilities of an unchanged sample count as confirmed. After a change, the sample needs a confirmation like any project. */
export function sampleTrust(folder: Folder): NewTrust {
  return { origin: 'sample', confirmed: listCapabilities(folder, readFolder(folder), hashBlob) };
}
