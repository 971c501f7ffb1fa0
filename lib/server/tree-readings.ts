import { LRUCache } from 'lru-cache';
import type { Actor } from '@/lib/base/actor';
import { AppError } from '@/lib/base/app-error';
import type { RunId, TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { Picture } from '@/lib/graph/picture';
import { findTreeIssue, saveTreeSummary } from '@/lib/store/tree-summaries';
import { askedBy } from './reading/asker';
import type { Points } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { getRunTree, readRunFolder } from './runs';
import { systemStore } from './services';

/** A tree never changes, so cached readings stay valid. */
const bytesPerEntry = 1_000;
const bytesPerNode = 200;
const bytesPerEdge = 200;
const points = new LRUCache<TreeHash, Points>({
  maxSize: 8_000_000,
  sizeCalculation: (placed) => bytesPerEntry + Object.keys(placed).length * bytesPerNode,
});
const pictures = new LRUCache<TreeHash, Result<Picture, Issue>>({
  maxSize: 16_000_000,
  sizeCalculation(drawn) {
    if (!drawn.ok) return bytesPerEntry;
    const { nodes, edges } = drawn.value;
    return bytesPerEntry + nodes.length * bytesPerNode + edges.length * bytesPerEdge;
  },
});

/** Returns positions of all nodes of the project's graph for an actor, or the Issue that says why its files cannot be read. */
export async function placeTree(actor: Actor, treeHash: TreeHash, folder: Folder): Promise<Result<Points, Issue>> {
  const known = points.get(treeHash);
  if (known !== undefined) return { ok: true, value: known };
  const issue = await issueOf(treeHash);
  if (issue !== undefined) return { ok: false, error: issue };
  const placed = await askedBy(actor, async () => {
    const laidOut = await webReader().place(folder);
    // The files may be readable although the layout takes too long.
    return laidOut.ok ? laidOut : await webReader().placeInRows(folder);
  });
  if (placed.ok) points.set(treeHash, placed.value);
  else await systemStore((store) => saveTreeSummary(store, treeHash, placed));
  return placed;
}

/** Returns the graph of the run's folder. Throws AppError `not_found`, and `too_large` when the folder cannot be read. */
export async function readRunPicture(actor: Actor, runId: RunId): Promise<Picture> {
  const treeHash = await getRunTree(actor, runId);
  const read = pictures.get(treeHash) ?? (await drawTree(actor, treeHash, runId));
  if (!read.ok) throw new AppError('too_large', read.error.message);
  return read.value;
}

async function drawTree(actor: Actor, treeHash: TreeHash, runId: RunId): Promise<Result<Picture, Issue>> {
  const issue = await issueOf(treeHash);
  if (issue !== undefined) return { ok: false, error: issue };
  const folder = await readRunFolder(actor, runId);
  const drawn = await webReader().picture(folder);
  pictures.set(treeHash, drawn);
  return drawn;
}

/**
 * Returns the recent failure of reading a tree. The tree is then not read again, because every try would occupy a thread up
 * to its time limit.
 */
function issueOf(treeHash: TreeHash): Promise<Issue | undefined> {
  return systemStore((store) => findTreeIssue(store, treeHash));
}
