import type { RunId } from '@/lib/base/ids';
import { readFolder } from '@/lib/cards/read-folder';
import { layoutGraph } from '@/lib/graph/layout';
import { type Picture, pictureOf } from '@/lib/graph/picture';
import { projectGraph } from '@/lib/graph/project';
import { getRun, readRunFolder } from './runs';

/** A tree never changes, so its picture holds for ever. */
const remembered = new Map<string, Picture>();
const maxRemembered = 50;

/** The graph of the folder that the run was started with. Throws AppError `not_found`. */
export async function readRunPicture(runId: RunId): Promise<Picture> {
  const { treeHash } = await getRun(runId);
  const known = remembered.get(treeHash);
  if (known !== undefined) return known;
  const parsed = readFolder(await readRunFolder(runId));
  const graph = projectGraph(parsed);
  const picture = pictureOf(graph, await layoutGraph(graph, parsed.settings.canvas.positions));
  remembered.set(treeHash, picture);
  const oldest = remembered.keys().next().value;
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
  return picture;
}
