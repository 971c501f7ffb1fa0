import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/base/clock';
import type { TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { ReadForRun, RunReading } from '@/lib/jobs/run-context';
import type { FolderReader } from './folder-reader';

const keptBytes = 64 * 1024 * 1024;
/** The memory of a reading, as a multiple of its text. */
const growth = 4;
const bytesPerFile = 500;
const retryAfterMs = 60_000;

/**
 * Caches readings of a worker, so that 200 runs of one tree read it once. After a failed reading, runs of that tree fail
 * immediately for a minute, so that they do not block the threads for runs of other trees.
 */
export function rememberReadings(reader: Pick<FolderReader, 'readForRun'>, clock: Pick<Clock, 'now'>): ReadForRun {
  const underWay = new Map<TreeHash, Promise<Result<RunReading, Issue>>>();
  const known = new LRUCache<TreeHash, { readonly outcome: Result<RunReading, Issue>; readonly at: number }>({
    maxSize: keptBytes,
  });

  return async (treeHash, folder) => {
    const last = known.get(treeHash);
    if (last !== undefined && (last.outcome.ok || clock.now() - last.at < retryAfterMs)) return last.outcome;
    const shared = underWay.get(treeHash);
    if (shared !== undefined) return await shared;
    const reading = reader.readForRun(folder);
    underWay.set(treeHash, reading);
    try {
      const outcome = await reading;
      known.set(treeHash, { outcome, at: clock.now() }, { size: outcome.ok ? bytesOf(folder) : bytesPerFile });
      return outcome;
    } finally {
      underWay.delete(treeHash);
    }
  };
}

function bytesOf(folder: Folder): number {
  let bytes = (folder.size + 1) * bytesPerFile;
  for (const file of folder.values()) if (file.kind === 'text') bytes += file.text.length * growth;
  return bytes;
}
