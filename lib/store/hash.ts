import { createHash } from 'node:crypto';
import { type BlobHash, brandAs, type TreeHash } from '@/lib/base/ids';

export function hashBlob(bytes: Uint8Array): BlobHash {
  return brandAs<BlobHash>(createHash('sha256').update(bytes).digest('hex'));
}

/** `entries` sorted by path. A path holds no NUL and a hash no newline, so two listings never share a canonical form. */
export function hashTree(entries: readonly (readonly [path: string, blob: BlobHash])[]): TreeHash {
  const hash = createHash('sha256');
  for (const [path, blob] of entries) hash.update(`${path}\0${blob}\n`);
  return brandAs<TreeHash>(hash.digest('hex'));
}
