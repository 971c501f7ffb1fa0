import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';

export function hashBlob(bytes: Uint8Array): BlobHash {
  return brandAs<BlobHash>(createHash('sha256').update(bytes).digest('hex'));
}

/** A slice of this size is hashed in one or two milliseconds. */
const sliceBytes = 1024 * 1024;

/**
 * Hashes like `hashBlob`, but in slices with other work in between. The bytes must not change meanwhile. Another thread is
 * not used because it would need a copy of the bytes, and the copy takes as long as the hash.
 */
export async function hashBlobLater(bytes: Uint8Array): Promise<BlobHash> {
  if (bytes.length <= sliceBytes) return hashBlob(bytes);
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    hash.update(bytes.subarray(from, from + sliceBytes));
    await setImmediate();
  }
  return brandAs<BlobHash>(hash.digest('hex'));
}

/** The mode of a file that may be executed, as git writes it. Other files have 100644. */
export const executable = '100755';

/** A file of a listing. Without a mode it is a regular file. */
export type TreeEntry = readonly [path: string, blob: BlobHash, mode?: typeof executable | undefined];

/**
 * Hashes a listing. `entries` must be sorted by path. Different listings never have the same text, because no path contains
 * NUL and no hash a newline.
 */
export function hashTree(entries: readonly TreeEntry[]): TreeHash {
  const hash = createHash('sha256');
  for (const [path, blob, mode] of entries) hash.update(`${path}\0${blob}${mode === undefined ? '' : `\0${mode}`}\n`);
  return brandAs<TreeHash>(hash.digest('hex'));
}
