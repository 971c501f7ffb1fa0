import { beadRow, roomAt } from './bead-row';
import type { FanWay } from './fans';
import type { Graph, NodeId, Point } from './graph';
import { nodeSize, signWidthOf } from './size';
import { type Box, wayAround } from './way-around';

/**
 * Leads wires around nodes that are not theirs. A wire that would run behind a box goes through a free strip above or below the
 * boxes between its ends:
 *
 *                 ┌───────┐                        ┌───────┐
 *     agent ──────┤ other ├──── tool      agent ─┐ │ other │ ┌─ tool
 *                 └───────┘                      │ └───────┘ │
 *                                                └───────────┘
 *
 * A wire that leads backwards would run behind its own boxes too. It goes back through a strip above or below them:
 *
 *      ┌───────────────────────────┐
 *      │ ┌──────┐       ┌───────┐  │
 *      └─┤ tool │       │ agent ├──┘
 *        └──────┘       └───────┘
 *
 * Where no strip is free all along, the wire bends more often (`wayAround`). Returns `ways` and the detours, by edge. With 1,000 nodes it may take 0.2 s; `detours` does the
 * same in steps.
 */
export function withDetours(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  ways: ReadonlyMap<string, FanWay>,
): ReadonlyMap<string, FanWay> {
  const steps = detours(graph, points, ways, mostSearches);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** A search takes up to 5 ms, and the drop of a node waits for all of them. */
const mostSearches = 20;

/** Does the same for any number of wires, with a pause that is offered after each detour. */
export function* detours(
  graph: Graph,
  points: Readonly<Record<NodeId, Point>>,
  ways: ReadonlyMap<string, FanWay>,
  searches = Number.POSITIVE_INFINITY,
): Generator<undefined, ReadonlyMap<string, FanWay>> {
  const boxes = boxesOf(graph, points);
  const placed = [...boxes.values()];
  const grid = gridOf(placed);
  const all = new Map(ways);
  const taken: Strip[] = [];
  let left = searches;
  for (const { id, kind, source, target } of graph.edges) {
    const [from, to] = [boxes.get(source), boxes.get(target)];
    if (from === undefined || to === undefined || kind === 'fan_in' || ways.has(id)) continue;
    const start = { x: from.right + handle, y: (from.top + from.bottom) / 2 };
    const end = { x: to.left - handle, y: (to.top + to.bottom) / 2 };
    const [turn, trunkX] = [start.x + elbow, end.x - elbow];
    const isBackwards = trunkX <= turn;
    if (from === to || (!isBackwards && !isCovered(start, end, grid, from, to))) continue;
    const strip = isBackwards ? { left: trunkX, right: turn } : { left: turn, right: trunkX };
    const [top, bottom] = [Math.min(start.y, end.y) - farthest, Math.max(start.y, end.y) + farthest];
    const inTheWay = placed.filter(
      (box) =>
        box.right > strip.left - elbow &&
        box.left < strip.right + elbow &&
        box.bottom > top &&
        box.top < bottom &&
        (isBackwards || (box !== from && box !== to)),
    );
    const y = freeStrip({ turn, trunkX }, start.y, end.y, inTheWay, taken);
    yield;
    if (y !== undefined) {
      taken.push({ ...strip, y });
      all.set(id, { outOf: { trunkX, gutterY: y, ...(isBackwards && { isBackwards }) } });
      continue;
    }
    if (left <= 0) continue;
    left -= 1;
    const [first, last] = [
      { x: turn, y: start.y },
      { x: trunkX, y: end.y },
    ];
    const corners = wayAround(first, last, placed);
    if (corners !== undefined) all.set(id, { around: [first, ...corners, last] });
  }
  return all;
}

/** Half of a handle, where wires begin and end. */
const handle = 4.5;
/** A detour turns this far away from its ends, as the wires of a fan do. */
const elbow = 14;
/** The distance of a detour to a box, and how much further away a second detour beside the first is. */
const nearest = 10;
const second = 4;
/** A strip that is used already costs as much as a detour that is so much longer. */
const usedStrip = 120;
/** Strips further away than this are not looked at. */
const farthest = 600;

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
  { turn, trunkX }: { readonly turn: number; readonly trunkX: number },
  start: number,
  end: number,
  boxes: readonly Box[],
  taken: readonly Strip[],
): number | undefined {
  const [left, right] = [Math.min(turn, trunkX), Math.max(turn, trunkX)];
  const [out, back] = [freeFrom(boxes, turn, start), freeFrom(boxes, trunkX, end)];
  // Boxes further away are not among `boxes`.
  const known = farthest - nearest;
  const top = Math.max(out.top, back.top, Math.min(start, end) - known);
  const bottom = Math.min(out.bottom, back.bottom, Math.max(start, end) + known);
  const rows = boxes
    .filter((box) => box.right >= left && box.left <= right)
    .map((box) => ({ top: box.top - nearest, bottom: box.bottom + nearest }));
  const isFree = (y: number) => y >= top && y <= bottom && rows.every((row) => y <= row.top || y >= row.bottom);
  const used = taken.filter((strip) => strip.left < right && strip.right > left).map(({ y }) => y);
  const cost = (y: number) =>
    Math.abs(y - start) + Math.abs(y - end) + (used.some((one) => Math.abs(one - y) < 3) ? usedStrip : 0);
  const strips = new Set([
    start,
    end,
    ...rows.flatMap((row) => [row.top, row.bottom, row.top - second, row.bottom + second]),
  ]);
  let cheapest: { readonly y: number; readonly cost: number } | undefined;
  for (const y of strips) {
    if (y < top || y > bottom) continue;
    const strip = { y, cost: cost(y) };
    const isBetter =
      cheapest === undefined || strip.cost < cheapest.cost || (strip.cost === cheapest.cost && y < cheapest.y);
    if (isBetter && isFree(y)) cheapest = strip;
  }
  return cheapest?.y;
}

/** Returns how far a vertical line at `x` reaches from `y` up and down before it meets a box. */
function freeFrom(boxes: readonly Box[], x: number, y: number): { readonly top: number; readonly bottom: number } {
  let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const box of boxes) {
    if (x <= box.left - 2 || x >= box.right + 2) continue;
    if (box.bottom <= y) top = Math.max(top, box.bottom);
    else if (box.top >= y) bottom = Math.min(bottom, box.top);
    else return { top: y, bottom: y };
  }
  return { top, bottom };
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
