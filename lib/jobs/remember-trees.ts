import { LRUCache } from 'lru-cache';
import type { TreeHash } from '@/lib/base/ids';
import type { Folder } from '@/lib/cards/folder';

const keptBytes = 64 * 1024 * 1024;
const bytesPerFile = 500;

/** Reads a stored tree as a folder. The folder is shared and must not be changed. */
export type ReadTree = (hash: TreeHash) => Promise<Folder>;

/**
 * Caches trees up to 64 MiB, which is safe because a tree never changes. Two hundred runs of one tree read it once, also
 * when they begin at the same time. Failures are not cached.
 */
export function rememberTrees(read: ReadTree, maxBytes = keptBytes): ReadTree {
  const underWay = new Map<TreeHash, Promise<Folder>>();
  const known = new LRUCache<TreeHash, Folder>({ maxSize: maxBytes, sizeCalculation: bytesOf });

  return async (hash) => {
    const kept = known.get(hash);
    if (kept !== undefined) return kept;
    const shared = underWay.get(hash);
    if (shared !== undefined) return await shared;
    const reading = read(hash);
    underWay.set(hash, reading);
    try {
      const folder = await reading;
      known.set(hash, folder);
      return folder;
    } finally {
      underWay.delete(hash);
    }
  };
}

/** Estimates memory. Texts take up to two bytes for each character. */
function bytesOf(folder: Folder): number {
  let bytes = (folder.size + 1) * bytesPerFile;
  for (const file of folder.values()) {
    if (file.kind === 'text') bytes += 2 * file.text.length;
    else if (file.kind === 'binary') bytes += file.bytes.length;
  }
  return bytes;
}
