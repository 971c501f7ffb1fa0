import type { Settings } from '@/lib/cards/settings';
import type { Points } from '@/lib/editor/place-nodes';
import type { Graph, GraphNode } from '@/lib/graph/graph';
import { boundsOf, canvasBoxes, groupFrames } from '@/lib/graph/group-frames';
import { nodeSize, type Size } from '@/lib/graph/size';

/** The part of the canvas that is shown: screen pixels = canvas units × zoom + (x, y). */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The room around the graph, as a share of the frame. */
const padding = 0.08;
/** Below this zoom the letters of nodes are smaller than ten pixels, so the view shows a part of the graph instead. */
const smallestWhole = 0.55;
const readable = 0.8;
/**
 * The place of the entry agent, as a share of the width. It is far to the left, because the nodes it uses are right of it.
 */
const entryAt = 0.3;

/** Returns the view with which a project opens: the whole graph if its nodes can be read, otherwise the entry agent. */
export function homeView(
  graph: Graph,
  points: Points,
  entry: string | undefined,
  frame: Size,
  canvas: Annotations = noAnnotations,
): View {
  const whole = wholeView(graph, points, frame, canvas);
  const [first] = graph.nodes;
  if (whole.zoom >= smallestWhole || first === undefined) return whole;

  const start = graph.nodes.find((node) => node.id === `agent:${entry}`) ?? firstRoot(graph) ?? first;
  const at = points[start.id] ?? { x: 0, y: 0 };
  const size = nodeSize(start);
  const middle = { x: at.x + size.width / 2, y: at.y + size.height / 2 };
  const view = centred(middle, readable, frame);
  return { ...view, x: frame.width * entryAt - middle.x * readable };
}

/** Returns the view of everything: nodes with their hooks and signs, notes, groups, and a margin. It is never enlarged. */
export function wholeView(
  graph: Graph,
  points: Points,
  frame: Size,
  { notes, groups }: Annotations = noAnnotations,
): View {
  const boxes = canvasBoxes(graph, points, notes);
  const all = boundsOf([...boxes.values(), ...groupFrames(groups, boxes)]);
  if (all === undefined) return { x: 0, y: 0, zoom: 1 };
  const room = 1 - 2 * padding;
  const zoom = Math.min(1, (frame.width * room) / all.width, (frame.height * room) / all.height);
  return centred({ x: all.x + all.width / 2, y: all.y + all.height / 2 }, zoom, frame);
}

type Annotations = Pick<Settings['canvas'], 'notes' | 'groups'>;
const noAnnotations: Annotations = { notes: [], groups: [] };

/** True if two views differ by less than a tenth of a pixel, because React Flow rounds. */
export function sameView(a: View, b: View): boolean {
  return Math.abs(a.x - b.x) < 0.1 && Math.abs(a.y - b.y) < 0.1 && Math.abs(a.zoom - b.zoom) < 0.001;
}

function centred(middle: { readonly x: number; readonly y: number }, zoom: number, frame: Size): View {
  return { x: frame.width / 2 - middle.x * zoom, y: frame.height / 2 - middle.y * zoom, zoom };
}

function firstRoot(graph: Graph): GraphNode | undefined {
  const used = new Set(graph.edges.map((edge) => edge.target));
  return graph.nodes.find((node) => node.kind === 'agent' && !used.has(node.id));
}
