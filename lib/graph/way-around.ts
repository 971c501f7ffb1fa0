import { EarliestFirst } from '@/lib/base/earliest-first';
import type { Point } from './graph';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** How far a way keeps from boxes: at their sides, and above and below. */
const beside = 14;
const above = 10;
/** A bend costs as much as a way that is so much longer. */
const bend = 60;
/** How far a way may lead beyond its ends. */
const [beyondX, beyondY] = [400, 600];
/** With more places than this there is no way: the search would be felt. */
const mostPlaces = 40_000;

/**
 * Finds a short way in right angles between two points that meets no box, with few bends. It leaves `from` along a row. Returns its
 * corners without the two points, or `undefined` if there is none.
 *
 * This is Dijkstra's algorithm on the lines beside the boxes: a shortest way turns nowhere else.
 */
export function wayAround(from: Point, to: Point, all: readonly Box[]): readonly Point[] | undefined {
  const region = {
    left: Math.min(from.x, to.x) - beyondX,
    right: Math.max(from.x, to.x) + beyondX,
    top: Math.min(from.y, to.y) - beyondY,
    bottom: Math.max(from.y, to.y) + beyondY,
  };
  const boxes = all.filter((box) => meets(box, region));
  const lines = {
    xs: linesOf(
      [from.x, to.x, ...boxes.flatMap((box) => [box.left - beside, box.right + beside])],
      region.left,
      region.right,
    ),
    ys: linesOf(
      [from.y, to.y, ...boxes.flatMap((box) => [box.top - above, box.bottom + above])],
      region.top,
      region.bottom,
    ),
  };
  if (lines.xs.length * lines.ys.length > mostPlaces) return undefined;
  return search(
    lines,
    lines.ys.indexOf(from.y) * lines.xs.length + lines.xs.indexOf(from.x),
    to,
    blockedSteps(lines, boxes),
  );
}

interface Lines {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

function meets(a: Box, b: Box): boolean {
  return a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
}

function linesOf(values: readonly number[], least: number, most: number): readonly number[] {
  return [...new Set(values)].filter((value) => value >= least && value <= most).sort((a, b) => a - b);
}

/** The steps to the next line, right and down, that meet a box. */
interface Blocked {
  readonly right: Uint8Array;
  readonly down: Uint8Array;
}

function blockedSteps({ xs, ys }: Lines, boxes: readonly Box[]): Blocked {
  const blocked = { right: new Uint8Array(xs.length * ys.length), down: new Uint8Array(xs.length * ys.length) };
  for (const box of boxes) {
    const [left, right] = [box.left - beside + 1, box.right + beside - 1];
    const [top, bottom] = [box.top - above + 1, box.bottom + above - 1];
    for (const [column, x] of xs.entries()) {
      if ((xs[column + 1] ?? x) <= left || x >= right) continue;
      for (const [row, y] of ys.entries()) {
        if ((ys[row + 1] ?? y) <= top || y >= bottom) continue;
        if (y > top) blocked.right[row * xs.length + column] = 1;
        if (x > left) blocked.down[row * xs.length + column] = 1;
      }
    }
  }
  return blocked;
}

/** A place reached along a row has an even number, and along a column an odd one, so that a bend can cost something. */
function search({ xs, ys }: Lines, first: number, to: Point, blocked: Blocked): readonly Point[] | undefined {
  const width = xs.length;
  const cost = new Float64Array(width * ys.length * 2).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(cost.length).fill(-1);
  const waiting = new EarliestFirst<{ readonly state: number; readonly total: number }>((a, b) => a.total - b.total);
  const costOf = (state: number) => cost[state] ?? Number.POSITIVE_INFINITY;
  const pointOf = (state: number): Point => ({
    x: xs[(state >> 1) % width] ?? 0,
    y: ys[Math.floor((state >> 1) / width)] ?? 0,
  });

  function reach(state: number, previous: number, total: number): void {
    if (total >= costOf(state)) return;
    cost[state] = total;
    before[state] = previous;
    waiting.add({ state, total });
  }

  reach(first * 2, -1, 0);
  for (let next = waiting.take(); next !== undefined; next = waiting.take()) {
    const { state } = next;
    // A cheaper way there was found since.
    if (next.total > costOf(state)) continue;
    const [place, { x, y }] = [state >> 1, pointOf(state)];
    if (x === to.x && y === to.y) return cornersOf(state);
    const [column, row] = [place % width, Math.floor(place / width)];
    const steps = [
      { to: place + 1, isColumn: 0, isFree: column + 1 < width && blocked.right[place] === 0 },
      { to: place - 1, isColumn: 0, isFree: column > 0 && blocked.right[place - 1] === 0 },
      { to: place + width, isColumn: 1, isFree: row + 1 < ys.length && blocked.down[place] === 0 },
      { to: place - width, isColumn: 1, isFree: row > 0 && blocked.down[place - width] === 0 },
    ];
    for (const step of steps) {
      if (!step.isFree) continue;
      const there = step.to * 2 + step.isColumn;
      const at = pointOf(there);
      const length = Math.abs(at.x - x) + Math.abs(at.y - y);
      reach(there, state, costOf(state) + length + (step.isColumn === (state & 1) ? 0 : bend));
    }
  }
  return undefined;

  function cornersOf(end: number): readonly Point[] {
    const corners: Point[] = [];
    for (
      let state = end, previous = before[state] ?? -1;
      previous >= 0;
      state = previous, previous = before[state] ?? -1
    ) {
      const isFirst = before[previous] === -1;
      if (!isFirst && (previous & 1) !== (state & 1)) corners.unshift(pointOf(previous));
    }
    return corners;
  }
}
