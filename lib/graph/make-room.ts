import { beadRow, leastWire, roomAt } from './bead-row';
import type { Graph, GraphNode, NodeId, Point } from './graph';
import { nodeSize, outletWidth, signWidthOf } from './size';

/** A pushed node keeps its distance to the next one, up to this much. */
const keptGap = 56;

/**
 * Moves nodes to the right, so that the hook chains of some agents are drawn whole and cover nothing. Returns the new places
 * of the nodes that move. A node moves only as far as needed, and what it would cover moves too.
 *
 *     agent ─┤ +3 ├─ tool   other  ──▶  agent ─┤ audit │ clamp │ log ├─ tool  other
 */
export function makeRoom(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  agents: ReadonlySet<NodeId>,
): Record<NodeId, Point> {
  const targets = targetsOf(graph);
  const moved: Record<NodeId, Point> = {};
  const pushing: Pusher[] = [];
  const placed = graph.nodes.flatMap((node) => {
    const at = points[node.id];
    return at === undefined ? [] : [{ node, at }];
  });
  for (const { node, at } of placed.sort((a, b) => a.at.x - b.at.x)) {
    let { x } = at;
    for (const pusher of pushing) x = Math.max(x, leastX(pusher, node, at));
    if (x > at.x) moved[node.id] = { x: Math.ceil(x), y: at.y };
    if (x === at.x && !agents.has(node.id)) continue;
    const { width } = nodeSize(node);
    const edge = at.x + width + signWidthOf(node);
    const chain = graph.chains[node.id] ?? [];
    const before = agents.has(node.id) ? 0 : beadRow(chain, roomAt(graph, node.id, edge, points)).width;
    const after = agents.has(node.id) ? outletWidth(graph, node) : before + signWidthOf(node);
    pushing.push({
      edge,
      wasRight: edge + before,
      right: Math.ceil(x) + width + after,
      top: at.y,
      bottom: at.y + nodeSize(node).height,
      targets: targets.get(node.id),
    });
  }
  return moved;
}

/** A node that takes room from those at its right. */
interface Pusher {
  /** The right edge without hooks. Nodes left of it stay. */
  readonly edge: number;
  /** The right edge with hooks, before and after. */
  readonly wasRight: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly targets: ReadonlySet<NodeId> | undefined;
}

function leastX({ edge, wasRight, right, top, bottom, targets }: Pusher, node: GraphNode, at: Point): number {
  if (at.x < edge || at.x >= right + leastWire) return at.x;
  const isTarget = targets?.has(node.id) === true;
  const isBeside = at.y < bottom && at.y + nodeSize(node).height > top;
  if (!isTarget && !isBeside) return at.x;
  return right + Math.min(Math.max(at.x - wasRight, leastWire), keptGap);
}

function targetsOf(graph: Graph): ReadonlyMap<NodeId, ReadonlySet<NodeId>> {
  const targets = new Map<NodeId, Set<NodeId>>();
  for (const { source, target } of graph.edges) {
    const known = targets.get(source);
    if (known === undefined) targets.set(source, new Set([target]));
    else known.add(target);
  }
  return targets;
}
