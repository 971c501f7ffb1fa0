import { blockLayout } from './block-layout';
import type { Graph, GraphNode, NodeId, Point } from './graph';
import { boundsOf } from './group-frames';
import { nodeSize } from './size';

export interface Sketch {
  readonly boxes: readonly {
    readonly kind: GraphNode['kind'];
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly lines: readonly { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }[];
  readonly width: number;
  readonly height: number;
}

/** A graph with more nodes is drawn as a map: nodes that would share a few pixels are one box. */
const maxBoxes = 60;
const cells = { across: 40, down: 16 } as const;
const maxLines = 160;
const columnStep = 300;
const rowStep = 104;

/**
 * Returns a graph as boxes and lines in canvas units, moved to the origin, so that `viewBox="0 0 width height"` shows all
 * of it. Nodes without a point are put below the others, in columns by their distance from the roots.
 */
export function sketchGraph(graph: Graph, points: Readonly<Record<NodeId, Point>>): Sketch {
  const { nodes } = graph;
  if (nodes.length > maxBoxes) return mapOf(graph, points);
  const placed = inColumns(nodes, graph, points);
  const left = Math.min(...nodes.map((node) => placed.get(node.id)?.x ?? 0));
  const top = Math.min(...nodes.map((node) => placed.get(node.id)?.y ?? 0));
  const boxes = new Map(
    nodes.map((node) => {
      const { x, y } = placed.get(node.id) ?? { x: left, y: top };
      return [node.id, { kind: node.kind, x: Math.round(x - left), y: Math.round(y - top), ...nodeSize(node) }];
    }),
  );
  const drawn = new Set<string>();
  const lines = graph.edges.flatMap(({ source, target }) => {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (from === undefined || to === undefined || from === to || drawn.has(`${source}→${target}`)) return [];
    drawn.add(`${source}→${target}`);
    return [{ x1: from.x + from.width, y1: from.y + from.height / 2, x2: to.x, y2: to.y + to.height / 2 }];
  });
  const list = [...boxes.values()];
  return {
    boxes: list,
    lines,
    width: Math.max(0, ...list.map((box) => box.x + box.width)),
    height: Math.max(0, ...list.map((box) => box.y + box.height)),
  };
}

/** Returns a large graph as a coarse map of its places, so that the picture has the shape of the canvas. */
function mapOf(graph: Graph, points: Readonly<Record<NodeId, Point>>): Sketch {
  const isPlaced = graph.nodes.every(({ id }) => Object.hasOwn(points, id));
  const places = isPlaced ? new Map(Object.entries(points)) : blockLayout(graph);
  const boxes = graph.nodes.map((node) => ({ ...(places.get(node.id) ?? { x: 0, y: 0 }), ...nodeSize(node) }));
  const all = boundsOf(boxes);
  if (all === undefined) return { boxes: [], lines: [], width: 0, height: 0 };
  const [stepX, stepY] = [all.width / cells.across, all.height / cells.down];
  const cellOf = new Map<NodeId, number>();
  const kinds = new Map<number, GraphNode['kind']>();
  graph.nodes.forEach((node, index) => {
    const { x, y, width, height } = boxes[index] ?? all;
    const column = Math.min(cells.across - 1, Math.floor((x + width / 2 - all.x) / stepX));
    const row = Math.min(cells.down - 1, Math.floor((y + height / 2 - all.y) / stepY));
    const cell = row * cells.across + column;
    cellOf.set(node.id, cell);
    if (!kinds.has(cell)) kinds.set(cell, node.kind);
  });
  const at = (cell: number) => ({
    x: Math.round(((cell % cells.across) + 0.1) * stepX),
    y: Math.round((Math.floor(cell / cells.across) + 0.15) * stepY),
  });
  const [width, height] = [Math.round(stepX * 0.8), Math.round(stepY * 0.7)];
  return {
    boxes: [...kinds].map(([cell, kind]) => ({ kind, ...at(cell), width, height })),
    lines: linesBetween(graph, cellOf).map(([from, to]) => {
      const [a, b] = [at(from), at(to)];
      return { x1: a.x + width, y1: a.y + height / 2, x2: b.x, y2: b.y + height / 2 };
    }),
    width: Math.round(all.width),
    height: Math.round(all.height),
  };
}

/** Returns the first lines between different cells, each once. */
function linesBetween(graph: Graph, cellOf: ReadonlyMap<NodeId, number>): (readonly [number, number])[] {
  const lines = new Map<string, readonly [number, number]>();
  for (const { source, target } of graph.edges) {
    const [from, to] = [cellOf.get(source), cellOf.get(target)];
    if (lines.size >= maxLines) break;
    if (from !== undefined && to !== undefined && from !== to) lines.set(`${from}→${to}`, [from, to]);
  }
  return [...lines.values()];
}

function inColumns(
  nodes: readonly GraphNode[],
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
): Map<NodeId, Point> {
  const placed = new Map<NodeId, Point>();
  for (const { id } of nodes) {
    const point = Object.hasOwn(points, id) ? points[id] : undefined;
    if (point !== undefined) placed.set(id, point);
  }
  const below = placed.size === 0 ? 0 : Math.max(...[...placed.values()].map((point) => point.y)) + rowStep;
  const start = placed.size === 0 ? 0 : Math.min(...[...placed.values()].map((point) => point.x));
  const columns = columnsOf(nodes, graph);
  const filled: number[] = [];
  const waiting = nodes.filter(({ id }) => !placed.has(id));
  const tallest = Math.max(0, ...countBy(waiting.map(({ id }) => columns.get(id) ?? 0)));
  const counts = countBy(waiting.map(({ id }) => columns.get(id) ?? 0));
  for (const { id } of waiting) {
    const column = columns.get(id) ?? 0;
    const row = filled[column] ?? 0;
    filled[column] = row + 1;
    const centred = (tallest - (counts[column] ?? 0)) / 2;
    placed.set(id, { x: start + column * columnStep, y: below + (row + centred) * rowStep });
  }
  return placed;
}

/**
 * Returns the column of each node, which is one to the right of its leftmost parent. Nodes reachable only through a cycle
 * start at column 0.
 */
function columnsOf(nodes: readonly GraphNode[], graph: Graph): Map<NodeId, number> {
  const shown = new Set(nodes.map((node) => node.id));
  const next = new Map<NodeId, NodeId[]>();
  const hasParent = new Set<NodeId>();
  for (const { source, target } of graph.edges) {
    if (source === target || !shown.has(source) || !shown.has(target)) continue;
    const known = next.get(source);
    if (known === undefined) next.set(source, [target]);
    else known.push(target);
    hasParent.add(target);
  }
  const columns = new Map<NodeId, number>();
  const spread = (roots: readonly NodeId[]): void => {
    for (const id of roots) columns.set(id, 0);
    for (const id of [...roots].values()) {
      const queue = [id];
      for (const at of queue) {
        for (const child of next.get(at) ?? []) {
          if (columns.has(child)) continue;
          columns.set(child, (columns.get(at) ?? 0) + 1);
          queue.push(child);
        }
      }
    }
  };
  spread(nodes.filter(({ id }) => !hasParent.has(id)).map(({ id }) => id));
  for (const { id } of nodes) if (!columns.has(id)) spread([id]);
  return columns;
}

function countBy(columns: readonly number[]): number[] {
  const counts: number[] = [];
  for (const column of columns) counts[column] = (counts[column] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}
