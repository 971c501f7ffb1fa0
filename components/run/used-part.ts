import type { Picture, PictureNode } from '@/lib/graph/picture';
import type { Trace } from '@/lib/trace/trace';
import { runGraph } from './run-graph';

/** So many boxes are seen at once, and what was not used says something too: an agent that a router did not choose. */
const mostWhole = 12;
/** Gaps between columns and rows of boxes are not wider than these, in canvas units. */
const columnGap = 96;
const rowGap = 40;

/**
 * Returns the part of a picture that a run has used: agents that were called, and what they called or could not start. The gaps that
 * the others leave are closed, so that boxes keep their order. A small picture stays whole, and so does one of which nothing has begun.
 */
export function usedPart(picture: Picture, trace: Trace): Picture {
  if (picture.nodes.length <= mostWhole) return picture;
  const boxes = runGraph(picture, trace).boxes;
  const used = new Set(
    boxes.filter((box) => box.instances > 0 || box.calls > 0 || box.failedStarts.length > 0).map(({ id }) => id),
  );
  const kept = picture.nodes.filter(({ id }) => used.has(id));
  if (kept.length === 0 || kept.length === picture.nodes.length) return picture;
  const left = closed(kept, 'x', 'width', columnGap);
  const top = closed(kept, 'y', 'height', rowGap);
  return {
    nodes: kept.map((node) => ({ ...node, x: left(node.x), y: top(node.y) })),
    edges: picture.edges.filter(({ source, target }) => used.has(source) && used.has(target)),
  };
}

/** Returns a function that moves a place towards the first box by all that gaps before it are wider than `most`. */
function closed(nodes: readonly PictureNode[], from: 'x' | 'y', length: 'width' | 'height', most: number) {
  const cuts: { readonly at: number; readonly by: number }[] = [];
  let reach: number | undefined;
  for (const node of nodes.toSorted((a, b) => a[from] - b[from])) {
    if (reach !== undefined && node[from] - reach > most) cuts.push({ at: node[from], by: node[from] - reach - most });
    reach = Math.max(reach ?? Number.NEGATIVE_INFINITY, node[from] + node[length]);
  }
  return (place: number) => place - cuts.reduce((sum, { at, by }) => (at <= place ? sum + by : sum), 0);
}
