import type { Graph, GraphNode, NodeId, Point } from './graph';
import { nodeSize, outletWidth, type Size } from './size';

/**
 * Many childless children of the same parents. A single column of them would be too tall, so the layout puts them into a
 * grid, and their wires run between its rows:
 *
 *              ┌──────────────┐    ┌──────────┐
 *     parent ──┤ a      c     │    │ trunk, then along the gutter above a row, then down to the child
 *              │ b      d     │
 *              └──────────────┘
 */
export interface Fan {
  /** The leaves in the order of their declaration. */
  readonly leaves: readonly GraphNode[];
}

/** A parent with more leaves than this gets a grid. */
const columnAtMost = 12;

/** Returns the fans of a graph. A node is in at most one fan. A leaf may use only nodes that other nodes use too. */
export function leafFans(graph: Graph): readonly Fan[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const sources = new Map<NodeId, Set<NodeId>>();
  const targets = new Map<NodeId, Set<NodeId>>();
  const gates = new Set<NodeId>();
  for (const { kind, source, target } of graph.edges) {
    addTo(sources, target, source);
    addTo(targets, source, target);
    if (kind === 'fan_in') gates.add(target);
  }
  const isShared = (id: NodeId) => nodes.get(id)?.kind !== 'agent' && (sources.get(id)?.size ?? 0) > 1;
  const groups = new Map<string, GraphNode[]>();
  for (const id of sources.keys()) {
    const node = nodes.get(id);
    if (node === undefined || gates.has(id) || ![...(targets.get(id) ?? [])].every(isShared)) continue;
    const key = JSON.stringify([node.kind === 'agent', [...(sources.get(id) ?? [])].sort()]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  return [...groups.values()].filter((leaves) => leaves.length > columnAtMost).map((leaves) => ({ leaves }));
}

const columnGap = 56;
const rowGap = 36;
/** The ratio of width to height of a grid, chosen for the shape of screens. */
const aspect = 1.6;

/** Returns the size of a fan's grid, and the position of each leaf relative to its top left corner, column by column. */
export function fanGrid(graph: Graph, fan: Fan): { readonly size: Size; readonly points: readonly Point[] } {
  const { width, height } = cellOf(graph, fan);
  const count = fan.leaves.length;
  const [stepX, stepY] = [width + columnGap, height + rowGap];
  const rows = Math.ceil(count / Math.max(2, Math.round(Math.sqrt((count * aspect * stepY) / stepX))));
  const columns = Math.ceil(count / rows);
  return {
    size: { width: columns * stepX - columnGap, height: rows * stepY - rowGap },
    points: fan.leaves.map((_, index) => ({ x: Math.floor(index / rows) * stepX, y: (index % rows) * stepY })),
  };
}

/**
 * The route of a wire of a fan, which is one parent with many children in a grid. `trunkX` is the x of the vertical line
 * that the wires share. `gutterY` is the y of the free strip between two rows, or `undefined` if the wire needs no strip.
 */
export interface FanWay {
  readonly into?: { readonly trunkX: number; readonly gutterY: number | undefined };
  readonly outOf?: {
    readonly trunkX: number;
    readonly gutterY: number | undefined;
    /** True if the trunk is left of where the wire begins. */
    readonly isBackwards?: true;
  };
  /** The corners of a wire that finds no strip which is free all along. The first and the last are at the height of its ends. */
  readonly around?: readonly Point[];
}

const trunkGap = 32;
/** Wires into a row use the lower part of the gutter above it; wires out of the row above use the upper part. */
const gutterIn = 14;
const gutterOut = 8;
const sameColumn = 40;

/** Returns the routes of all edges that begin or end in a fan, by edge. A fan of one column needs none. */
export function fanWays(graph: Graph, points: Readonly<Record<NodeId, Point>>): ReadonlyMap<string, FanWay> {
  const into = new Map<NodeId, NonNullable<FanWay['into']>>();
  const outOf = new Map<NodeId, NonNullable<FanWay['outOf']>>();
  for (const fan of leafFans(graph)) {
    const { width, height } = cellOf(graph, fan);
    const placed = fan.leaves.map((node) => ({ node, at: points[node.id] ?? { x: 0, y: 0 } }));
    const left = placed.reduce((least, { at }) => Math.min(least, at.x), Number.POSITIVE_INFINITY);
    const last = placed.reduce((most, { at }) => Math.max(most, at.x), Number.NEGATIVE_INFINITY);
    if (last - left <= sameColumn) continue;
    for (const { node, at } of placed) {
      const isFirst = at.x - left <= sameColumn;
      const isLast = last - at.x <= sameColumn;
      into.set(node.id, { trunkX: left - trunkGap, gutterY: isFirst ? undefined : at.y - gutterIn });
      outOf.set(node.id, {
        trunkX: last + width + trunkGap,
        gutterY: isLast ? undefined : at.y + height + gutterOut,
      });
    }
  }
  const ways = new Map<string, FanWay>();
  for (const { id, source, target } of into.size === 0 ? [] : graph.edges) {
    const [start, end] = [outOf.get(source), into.get(target)];
    if (start === undefined && end === undefined) continue;
    ways.set(id, { ...(end && { into: end }), ...(start && { outOf: start }) });
  }
  return ways;
}

/** Returns the size of the largest leaf, including its hook chain or sign. */
function cellOf(graph: Graph, fan: Fan): Size {
  let [width, height] = [0, 0];
  for (const node of fan.leaves) {
    const size = nodeSize(node);
    width = Math.max(width, size.width + outletWidth(graph, node));
    height = Math.max(height, size.height);
  }
  return { width, height };
}

function addTo(map: Map<NodeId, Set<NodeId>>, key: NodeId, value: NodeId): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
