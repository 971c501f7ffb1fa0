import { beadRow, roomAt } from './bead-row';
import type { FanWay } from './fans';
import type { Graph, NodeId, Point } from './graph';
import { nodeSize, signWidthOf } from './size';

/**
 * Leads wires around nodes that are not theirs. A wire that would run behind a box goes through a free strip above or below the
 * boxes between its ends:
 *
 *                 ┌───────┐                        ┌───────┐
 *     agent ──────┤ other ├──── tool      agent ─┐ │ other │ ┌─ tool
 *                 └───────┘                      │ └───────┘ │
 *                                                └───────────┘
 *
 * Returns `ways` and the detours, by edge. A wire without a free strip keeps its curve, as do one that leads backwards and all
 * wires of a large graph.
 */
export function withDetours(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  ways: ReadonlyMap<string, FanWay>,
): ReadonlyMap<string, FanWay> {
  if (graph.edges.length > mostWires) return ways;
  const boxes = boxesOf(graph, points);
  const placed = [...boxes.values()];
  const grid = gridOf(placed);
  const all = new Map(ways);
  const taken: Strip[] = [];
  for (const { id, kind, source, target } of graph.edges) {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (from === undefined || to === undefined || kind === 'fan_in' || ways.has(id)) continue;
    const start = { x: from.right + handle, y: (from.top + from.bottom) / 2 };
    const end = { x: to.left - handle, y: (to.top + to.bottom) / 2 };
    const strip = { left: start.x + elbow, right: end.x - elbow };
    if (strip.right <= strip.left || !isCovered(start, end, grid, from, to)) continue;
    const [top, bottom] = [Math.min(start.y, end.y) - farthest, Math.max(start.y, end.y) + farthest];
    const others = placed.filter(
      (box) =>
        box.right > start.x && box.left < end.x && box.bottom > top && box.top < bottom && box !== from && box !== to,
    );
    const y = freeStrip(strip, start.y, end.y, others, taken);
    if (y === undefined) continue;
    taken.push({ ...strip, y });
    all.set(id, { outOf: { trunkX: strip.right, gutterY: y } });
  }
  return all;
}

/** A larger graph keeps its curves: looking for strips would delay its opening, and it is seen from far away. */
const mostWires = 400;
/** Half of a handle, where wires begin and end. */
const handle = 4.5;
/** A detour turns this far away from its ends, as the wires of a fan do. */
const elbow = 14;
/** The distance of a detour to a box, and the one of a second detour beside the first. */
const distances = [10, 14];
/** A strip that is used already costs as much as a detour that is so much longer. */
const usedStrip = 120;
/** Strips further away than this, or than the first few, are not looked at. */
const farthest = 600;
const mostStrips = 60;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Strip {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** Returns the boxes of nodes with their hooks and signs. */
function boxesOf(graph: Graph, points: Readonly<Record<NodeId, Point>>): ReadonlyMap<NodeId, Box> {
  const boxes = new Map<NodeId, Box>();
  for (const node of graph.nodes) {
    const at = points[node.id];
    if (at === undefined) continue;
    const { width, height } = nodeSize(node);
    const edge = at.x + width + signWidthOf(node);
    const chain = graph.chains[node.id] ?? [];
    const reach = chain.length === 0 ? 0 : beadRow(chain, roomAt(graph, node.id, edge, points)).width;
    boxes.set(node.id, { left: at.x, top: at.y, right: edge + reach, bottom: at.y + height });
  }
  return boxes;
}

/** Returns the y of the cheapest strip along which a wire from `start` to `end` meets no box. */
function freeStrip(
  { left, right }: Omit<Strip, 'y'>,
  start: number,
  end: number,
  boxes: readonly Box[],
  taken: readonly Strip[],
): number | undefined {
  const length = (y: number) => Math.abs(y - start) + Math.abs(y - end);
  const isTaken = (y: number) => taken.some((one) => Math.abs(one.y - y) < 3 && one.left < right && one.right > left);
  const edges = boxes.flatMap(({ top, bottom }) => distances.flatMap((far) => [top - far, bottom + far]));
  const strips = [...new Set([start, end, ...edges])]
    .map((y) => ({ y, cost: length(y) }))
    .sort((a, b) => a.cost - b.cost || a.y - b.y)
    .slice(0, mostStrips)
    .map(({ y, cost }) => ({ y, cost: isTaken(y) ? cost + usedStrip : cost }))
    .sort((a, b) => a.cost - b.cost || a.y - b.y);
  const [least] = distances;
  return strips.find(({ y }) =>
    boxes.every((box) => {
      const isBeside = y <= box.top - (least ?? 0) || y >= box.bottom + (least ?? 0);
      return (
        (isBeside || box.right < left || box.left > right) && misses(box, left, start, y) && misses(box, right, y, end)
      );
    }),
  )?.y;
}

/** True if a vertical line meets no box. */
function misses({ left, right, top, bottom }: Box, x: number, y: number, toY: number): boolean {
  return x <= left - 2 || x >= right + 2 || Math.max(y, toY) <= top || Math.min(y, toY) >= bottom;
}

const cell = 256;
const stepPx = 12;

type Grid = ReadonlyMap<number, readonly Box[]>;

function keyOf(x: number, y: number): number {
  return Math.floor(x / cell) * 100_003 + Math.floor(y / cell);
}

function gridOf(boxes: readonly Box[]): Grid {
  const grid = new Map<number, Box[]>();
  for (const box of boxes) {
    for (let x = Math.floor(box.left / cell) * cell; x <= box.right; x += cell) {
      for (let y = Math.floor(box.top / cell) * cell; y <= box.bottom; y += cell) {
        const known = grid.get(keyOf(x, y));
        if (known === undefined) grid.set(keyOf(x, y), [box]);
        else known.push(box);
      }
    }
  }
  return grid;
}

/** True if the usual curve between two points runs behind a box other than `from` and `to`. */
function isCovered(start: Point, end: Point, grid: Grid, from: Box, to: Box): boolean {
  const steps = Math.ceil((end.x - start.x + Math.abs(end.y - start.y)) / stepPx);
  const middle = (start.x + end.x) / 2;
  for (let step = 1; step < steps; step++) {
    const t = step / steps;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
    const x = a * start.x + (b + c) * middle + d * end.x;
    const y = (a + b) * start.y + (c + d) * end.y;
    const hit = grid.get(keyOf(x, y))?.some((box) => {
      const isInside = x > box.left && x < box.right && y > box.top && y < box.bottom;
      return isInside && box !== from && box !== to;
    });
    if (hit) return true;
  }
  return false;
}
