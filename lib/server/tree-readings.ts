import { LRUCache } from 'lru-cache';
import { AppError } from '@/lib/base/app-error';
import type { RunId, TreeHash } from '@/lib/base/ids';
import type { Issue } from '@/lib/base/issue';
import type { Result } from '@/lib/base/result';
import type { Folder } from '@/lib/cards/folder';
import type { Picture } from '@/lib/graph/picture';
import { findTreeIssue, saveTreeSummary } from '@/lib/store/tree-summaries';
import type { Points } from './reading/reading-jobs';
import { webReader } from './reading/web-reader';
import { getRunTree, readRunFolder } from './runs';
import { withStore } from './services';

/** A tree never changes, so what was read off it holds for ever. */
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

/** A place for every node of the project's graph, or why its files cannot be read. */
export async function placeProject(treeHash: TreeHash, folder: Folder): Promise<Result<Points, Issue>> {
  const known = points.get(treeHash);
  if (known !== undefined) return { ok: true, value: known };
  const issue = await issueOf(treeHash);
  if (issue !== undefined) return { ok: false, error: issue };
  const laidOut = await webReader().place(folder);
  // Perhaps the files can be read, and the layout takes too long.
  const placed = laidOut.ok ? laidOut : await webReader().placeInRows(folder);
  if (placed.ok) points.set(treeHash, placed.value);
  else await withStore((store) => saveTreeSummary(store, treeHash, placed));
  return placed;
}

/** The graph of the folder that the run was started with. Throws AppError `not_found`, and `too_large` when it cannot be read. */
export async function readRunPicture(runId: RunId): Promise<Picture> {
  const treeHash = await getRunTree(runId);
  const read = pictures.get(treeHash) ?? (await drawTree(treeHash, runId));
  if (!read.ok) throw new AppError('too_large', read.error.message);
  return read.value;
}

async function drawTree(treeHash: TreeHash, runId: RunId): Promise<Result<Picture, Issue>> {
  const issue = await issueOf(treeHash);
  if (issue !== undefined) return { ok: false, error: issue };
  const folder = await readRunFolder(runId);
  const drawn = await webReader().picture(folder);
  pictures.set(treeHash, drawn);
  return drawn;
}

/** A tree that could not be read lately is not read again: each try would keep a thread for as long as it may run. */
function issueOf(treeHash: TreeHash): Promise<Issue | undefined> {
  return withStore((store) => findTreeIssue(store, treeHash));
}
