import { wide } from '@/lib/graph/bead-row';
import type { Graph, NodeId, Point } from '@/lib/graph/graph';
import { nodeSize, outletWidth } from '@/lib/graph/size';

export type Points = Readonly<Record<NodeId, Point>>;

const columnStep = 320;
const rowStep = 104;
const columnGap = 96;

/**
 * Returns a place for every node. In this order, the first that exists is used: the saved place, the place from a layout, a
 * free spot beside a neighbour that has a place. Without such a neighbour an agent goes below all nodes, and a server or
 * tool right of all agents, so that wires run to the right.
 */
export function placeNodes(graph: Graph, saved: Points, known: Points): Points {
  const points: Record<NodeId, Point> = {};
  const waiting: NodeId[] = [];
  for (const node of graph.nodes) {
    const point = saved[node.id] ?? known[node.id];
    if (point === undefined) waiting.push(node.id);
    else points[node.id] = point;
  }
  if (waiting.length === 0) return points;
  const targets = new Map(graph.edges.map((edge) => [edge.target, edge.source]));
  const sources = new Map(graph.edges.map((edge) => [edge.source, edge.target]));
  for (const id of waiting) {
    const parent = points[targets.get(id) ?? ''];
    const child = points[sources.get(id) ?? ''];
    const wanted = parent
      ? { x: parent.x + columnStep, y: parent.y }
      : child
        ? { x: child.x - columnStep, y: child.y }
        : id.startsWith('agent:')
          ? below(points)
          : rightOfAgents(points);
    points[id] = freeSpot(wanted, points);
  }
  return points;
}

/**
 * Returns a free place for a new node that `from` may use. It is right of `from` and of its hooks, so that the wire runs to
 * the right.
 */
export function spotRightOf(graph: Graph, points: Points, from: NodeId): Point | undefined {
  const node = graph.nodes.find((one) => one.id === from);
  const at = points[from];
  if (node === undefined || at === undefined) return undefined;
  const reach = nodeSize(node).width + outletWidth(graph, node, wide);
  return freeSpot({ x: at.x + Math.max(columnStep, reach + columnGap), y: at.y }, points);
}

/** Returns the first spot at or below `wanted` that no node covers. */
export function freeSpot(wanted: Point, points: Points): Point {
  const placed = Object.values(points);
  let y = wanted.y;
  while (placed.some((p) => Math.abs(p.x - wanted.x) < columnStep * 0.75 && Math.abs(p.y - y) < rowStep * 0.9)) {
    y += rowStep;
  }
  return { x: wanted.x, y };
}

function below(points: Points): Point {
  const placed = Object.values(points);
  if (placed.length === 0) return { x: 0, y: 0 };
  return { x: Math.min(...placed.map((p) => p.x)), y: Math.max(...placed.map((p) => p.y)) + rowStep };
}

/** Returns the top of the column right of all agents, at the height of the topmost agent. */
function rightOfAgents(points: Points): Point {
  const agents = Object.entries(points).flatMap(([id, point]) => (id.startsWith('agent:') ? [point] : []));
  if (agents.length === 0) return below(points);
  return { x: Math.max(...agents.map((p) => p.x)) + columnStep, y: Math.min(...agents.map((p) => p.y)) };
}
