import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api';
import { blockLayout } from './block-layout';
import { fanGrid, leafFans } from './fans';
import { flowsOf } from './flows';
import type { Graph, GraphNode, NodeId, Point } from './graph';
import { nodeSize, outletWidth, type Size } from './size';

/**
 * Finds a position for every node. Saved positions stay; the others come from a layered layout, left to right, or for a large
 * graph from one in blocks (./block-layout).
 *
 *     many leaves of one parent ──▶ one block ──▶ layout by elk ──▶ grid inside the block (./fans)
 *     layout ──shift towards the saved nodes──▶ move unsaved nodes down until nothing overlaps
 *
 * It is deterministic: the same graph and positions give the same points, in browsers and in Node. The layout engine is
 * loaded at the first use. Positions are top left corners. Positions of missing nodes are ignored.
 */
export async function layoutGraph(
  graph: Graph,
  positions: Readonly<Record<NodeId, Point>>,
): Promise<Record<NodeId, Point>> {
  const saved = graph.nodes.filter((node) => Object.hasOwn(positions, node.id));
  const points: Record<NodeId, Point> = {};
  for (const node of saved) points[node.id] = positions[node.id] ?? origin;
  const free = graph.nodes.filter((node) => !Object.hasOwn(positions, node.id));
  if (free.length === 0) return points;
  const fresh =
    graph.nodes.length === 1
      ? onlyNode(free)
      : graph.nodes.length > mostLayered
        ? blockLayout(graph)
        : await layered(graph);
  placeAround(graph, points, saved, free, fresh);
  return Object.fromEntries(graph.nodes.map(({ id }) => [id, points[id] ?? origin]));
}

/** A larger graph is placed in blocks, because a layered layout takes seconds and makes columns of hundreds of nodes. */
const mostLayered = 120;

const origin: Point = { x: 0, y: 0 };
const gap = 24;

function onlyNode(nodes: readonly GraphNode[]): Map<NodeId, Point> {
  return new Map(nodes.map((node) => [node.id, origin]));
}

const layoutOptions: Readonly<Record<string, string>> = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.randomSeed': '1',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  'elk.layered.spacing.nodeNodeBetweenLayers': '96',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.componentComponent': '48',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
};

/**
 * Declaration order reads best, but its cost grows quickly, so only small graphs use it. A graph of 200 agents took nine
 * seconds.
 */
const smallGraph: Readonly<Record<string, string>> = { 'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES' };
const largeGraph: Readonly<Record<string, string>> = { 'elk.edgeRouting': 'POLYLINE', 'elk.layered.thoroughness': '1' };
const smallGraphEdges = 40;
/** In a large graph only the first few edges of a server position it, since a server of all agents would distort the layout. */
const usesThatCount = 4;

async function layered(graph: Graph): Promise<Map<NodeId, Point>> {
  const { default: Elk } = await import('elkjs/lib/elk.bundled.js');
  const blocks = blocksOf(graph);
  const edges = edgesOf(graph, blocks);
  const boxes = new Map<string, Size>();
  for (const node of readingOrder(graph)) {
    const block = blocks.get(node.id);
    boxes.set(block?.id ?? node.id, block?.size ?? outerSize(graph, node));
  }
  const root: ElkNode = {
    id: 'root',
    layoutOptions: { ...layoutOptions, ...(edges.length <= smallGraphEdges ? smallGraph : largeGraph) },
    children: [...boxes].map(([id, size]) => ({ id, ...size })),
    edges,
  };
  const result = await new Elk().layout(root);
  const corners = new Map((result.children ?? []).map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  return new Map(
    graph.nodes.map(({ id }) => {
      const block = blocks.get(id);
      const { x, y } = corners.get(block?.id ?? id) ?? origin;
      return [id, { x: Math.round(x + (block?.at.x ?? 0)), y: Math.round(y + (block?.at.y ?? 0)) }];
    }),
  );
}

/** The block that represents a leaf in the layout by elk, and the position of the leaf in it. */
interface Block {
  readonly id: string;
  readonly size: Size;
  readonly at: Point;
}

function blocksOf(graph: Graph): ReadonlyMap<NodeId, Block> {
  const blocks = new Map<NodeId, Block>();
  for (const fan of leafFans(graph)) {
    const { size, points } = fanGrid(graph, fan);
    const id = `fan of ${fan.leaves[0]?.id}`;
    fan.leaves.forEach((leaf, index) => {
      blocks.set(leaf.id, { id, size, at: points[index] ?? origin });
    });
  }
  return blocks;
}

/** Returns the size including the hook chain or the sign of a workflow, which are drawn to the right of an agent. */
function outerSize(graph: Graph, node: GraphNode): Size {
  const { width, height } = nodeSize(node);
  return { width: width + outletWidth(graph, node), height };
}

/**
 * Returns members in the order in which their workflow uses them, so that a column of them reads from top to bottom. Nodes that
 * are no members keep their places.
 */
function readingOrder(graph: Graph): readonly GraphNode[] {
  const nodes = [...graph.nodes];
  const places = new Map(nodes.map((node, index) => [node.id, index]));
  const members = new Map<NodeId, Set<NodeId>>();
  for (const { kind, source, target } of graph.edges) {
    if (kind === 'delegation' || kind === 'may_call' || kind === 'uses' || !places.has(target)) continue;
    members.set(source, (members.get(source) ?? new Set()).add(target));
  }
  for (const group of members.values()) {
    const free = [...group].map((id) => places.get(id) ?? 0).sort((a, b) => a - b);
    const ordered = [...group].map((id) => nodes[places.get(id) ?? 0]);
    ordered.forEach((node, index) => {
      const place = free[index];
      if (node === undefined || place === undefined) return;
      nodes[place] = node;
      places.set(node.id, place);
    });
  }
  return nodes;
}

/** Returns at most one edge between any two nodes or blocks. The agent that joins the answers of branches is right of them. */
function edgesOf(graph: Graph, blocks: ReadonlyMap<NodeId, Block>): ElkExtendedEdge[] {
  const known = new Set(graph.nodes.map((node) => node.id));
  const edges = new Map<string, ElkExtendedEdge>();
  const uses = new Map<NodeId, number>();
  const large = graph.edges.length > smallGraphEdges;
  const joins = flowsOf(graph.edges).filter(({ kind }) => kind === 'join');
  const joined = new Set(joins.map(({ edge }) => edge));
  const wires = [...graph.edges.filter(({ id }) => !joined.has(id)), ...joins];
  for (const { kind, source, target } of wires) {
    if (source === target || !known.has(source) || !known.has(target)) continue;
    const count = uses.get(target) ?? 0;
    if (kind === 'uses' && large && count >= usesThatCount) continue;
    uses.set(target, count + 1);
    const [from, to] = [blocks.get(source)?.id ?? source, blocks.get(target)?.id ?? target];
    const id = `${from}→${to}`;
    edges.set(id, { id, sources: [from], targets: [to] });
  }
  return [...edges.values()];
}

/** Adds the points of unsaved nodes to `points`. */
function placeAround(
  graph: Graph,
  points: Record<NodeId, Point>,
  saved: readonly GraphNode[],
  free: readonly GraphNode[],
  fresh: ReadonlyMap<NodeId, Point>,
): void {
  const taken = new Occupied();
  for (const node of saved) taken.add(node, points[node.id] ?? origin);
  const shifts = shiftsOf(graph, points, saved, fresh);
  const byColumn = [...free].sort((a, b) => compare(fresh.get(a.id) ?? origin, fresh.get(b.id) ?? origin));
  for (const node of byColumn) {
    const point = fresh.get(node.id) ?? origin;
    const shift = shifts.get(node.id) ?? origin;
    const spot = saved.length === 0 ? point : taken.firstFree(node, { x: point.x + shift.x, y: point.y + shift.y });
    points[node.id] = spot;
    taken.add(node, spot);
  }
}

/**
 * Returns the shift of each node from the layout by elk: that of its nearest saved neighbour, otherwise the average of all
 * saved nodes.
 */
function shiftsOf(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  saved: readonly GraphNode[],
  fresh: ReadonlyMap<NodeId, Point>,
): Map<NodeId, Point> {
  const shifts = new Map<NodeId, Point>();
  let [x, y] = [0, 0];
  for (const { id } of saved) {
    const [from, to] = [fresh.get(id) ?? origin, points[id] ?? origin];
    shifts.set(id, { x: to.x - from.x, y: to.y - from.y });
    x += to.x - from.x;
    y += to.y - from.y;
  }
  const neighbours = new Map<NodeId, NodeId[]>();
  for (const { source, target } of graph.edges) {
    addNeighbour(neighbours, source, target);
    addNeighbour(neighbours, target, source);
  }
  for (const [id, shift] of shifts) {
    for (const next of neighbours.get(id) ?? []) if (!shifts.has(next)) shifts.set(next, shift);
  }
  const mean = { x: Math.round(x / Math.max(1, saved.length)), y: Math.round(y / Math.max(1, saved.length)) };
  for (const { id } of graph.nodes) if (!shifts.has(id)) shifts.set(id, mean);
  return shifts;
}

function addNeighbour(neighbours: Map<NodeId, NodeId[]>, of: NodeId, other: NodeId): void {
  const known = neighbours.get(of);
  if (known === undefined) neighbours.set(of, [other]);
  else known.push(other);
}

function compare(a: Point, b: Point): number {
  return a.x - b.x || a.y - b.y;
}

const cell = 256;

/** The occupied boxes, in a coarse grid, so that a thousand nodes are placed quickly. */
class Occupied {
  readonly #cells = new Map<string, { left: number; top: number; right: number; bottom: number }[]>();

  add(node: GraphNode, point: Point): void {
    const box = boxAt(node, point);
    for (const key of cellsOf(box)) {
      const boxes = this.#cells.get(key);
      if (boxes === undefined) this.#cells.set(key, [box]);
      else boxes.push(box);
    }
  }

  /** Returns the wanted point, or the first point below it where the node fits with a gap on all sides. */
  firstFree(node: GraphNode, wanted: Point): Point {
    let y = wanted.y;
    for (;;) {
      const box = boxAt(node, { x: wanted.x, y });
      const hit = this.#hit({
        left: box.left - gap,
        top: box.top - gap,
        right: box.right + gap,
        bottom: box.bottom + gap,
      });
      if (hit === undefined) return { x: wanted.x, y };
      y = hit.bottom + gap;
    }
  }

  #hit(box: Box): Box | undefined {
    for (const key of cellsOf(box)) {
      for (const other of this.#cells.get(key) ?? []) {
        const apart =
          other.right <= box.left || other.left >= box.right || other.bottom <= box.top || other.top >= box.bottom;
        if (!apart) return other;
      }
    }
    return undefined;
  }
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxAt(node: GraphNode, { x, y }: Point): Box {
  const { width, height } = nodeSize(node);
  return { left: x, top: y, right: x + width, bottom: y + height };
}

function cellsOf(box: Box): string[] {
  const keys: string[] = [];
  for (let column = Math.floor(box.left / cell); column <= Math.floor(box.right / cell); column++) {
    for (let row = Math.floor(box.top / cell); row <= Math.floor(box.bottom / cell); row++)
      keys.push(`${column}:${row}`);
  }
  return keys;
}
