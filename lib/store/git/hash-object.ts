import { createHash } from 'node:crypto';
import { brandAs } from '@/lib/base/ids';
import type { GitHash, GitKind } from '@/lib/interop/git/git-object';

/**
 * Returns the id of a git object: the SHA-1 of its kind, size and bytes. SHA-1 is what git has; nothing here trusts it. Files are
 * kept by their SHA-256, and what a push brings is looked up within its project only.
 */
export function hashObject(kind: GitKind, body: Uint8Array): GitHash {
  return brandAs<GitHash>(createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex'));
}
