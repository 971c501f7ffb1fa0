import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';

export function hashBlob(bytes: Uint8Array): BlobHash {
  return brandAs<BlobHash>(createHash('sha256').update(bytes).digest('hex'));
}

/** Bytes that are hashed in a millisecond or two. */
const sliceBytes = 1024 * 1024;

/**
 * As `hashBlob`; many bytes are hashed in slices, and other work goes on between them. They must not be changed meanwhile. A
 * thread of its own would need a copy, which costs as much as the hash.
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

/** `entries` sorted by path. A path holds no NUL and a hash no newline, so two listings never share a canonical form. */
export function hashTree(entries: readonly (readonly [path: string, blob: BlobHash])[]): TreeHash {
  const hash = createHash('sha256');
  for (const [path, blob] of entries) hash.update(`${path}\0${blob}\n`);
  return brandAs<TreeHash>(hash.digest('hex'));
}
