import type { Settings } from '@/lib/cards/settings';
import type { NodeId, Point } from './graph';
import type { Box } from './group-frames';

/** The distance of the dots of the canvas, to which nodes snap. */
export const gridPx = 24;

/** Moves a place by steps of the grid. On each axis that it moves along, it is on the grid afterwards. */
export function onGrid({ x, y }: Point, by: Point): Point {
  return { x: along(x, by.x), y: along(y, by.y) };
}

function along(value: number, steps: number): number {
  if (steps === 0) return value;
  // A place between two lines goes to the next line in the direction.
  const line = steps > 0 ? Math.floor(value / gridPx) : Math.ceil(value / gridPx);
  return (line + steps) * gridPx;
}

/** Returns the places of nodes and notes. The members of a chosen group move with it. */
export function placesOf(
  points: Readonly<Record<NodeId, Point>>,
  { notes, groups }: Pick<Settings['canvas'], 'notes' | 'groups'>,
  ids: readonly NodeId[],
): ReadonlyMap<NodeId, Point> {
  const inGroups = groups.filter(({ id }) => ids.includes(`group:${id}`)).flatMap(({ members }) => members);
  const places = new Map<NodeId, Point>();
  for (const id of new Set([...ids, ...inGroups])) {
    const note = id.startsWith('note:') ? notes.find((one) => `note:${one.id}` === id) : undefined;
    const at = note ?? points[id];
    if (at !== undefined) places.set(id, { x: at.x, y: at.y });
  }
  return places;
}

export const alignments = ['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof alignments)[number];
export type Axis = 'across' | 'down';

type Boxes = ReadonlyMap<NodeId, Box>;
type Places = Readonly<Record<NodeId, Point>>;

/** Returns the places of boxes with one edge, or their middles, on one line: that of the outermost edge, or of the whole. */
export function align(boxes: Boxes, how: Alignment): Places {
  const all = [...boxes.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  return mapped(boxes, ({ x, y, width, height }) => {
    switch (how) {
      case 'left':
        return { x: left, y };
      case 'centre':
        return { x: (left + right - width) / 2, y };
      case 'right':
        return { x: right - width, y };
      case 'top':
        return { x, y: top };
      case 'middle':
        return { x, y: (top + bottom - height) / 2 };
      case 'bottom':
        return { x, y: bottom - height };
    }
  });
}

/** Returns the places of boxes with equal gaps between them. The first and the last stay; with less than three nothing moves. */
export function distribute(boxes: Boxes, axis: Axis): Places {
  const start = ({ x, y }: Box) => (axis === 'across' ? x : y);
  const length = ({ width, height }: Box) => (axis === 'across' ? width : height);
  const ordered = [...boxes].sort(([a, x], [b, y]) => start(x) - start(y) || (a < b ? -1 : 1));
  const [first, last] = [ordered[0]?.[1], ordered.at(-1)?.[1]];
  if (first === undefined || last === undefined || ordered.length < 3) return mapped(boxes, (box) => box);
  const filled = ordered.reduce((sum, [, box]) => sum + length(box), 0);
  const gap = (start(last) + length(last) - start(first) - filled) / (ordered.length - 1);
  let next = start(first);
  const starts = new Map(
    ordered.map(([id, box]) => {
      const at = next;
      next += length(box) + gap;
      return [id, at];
    }),
  );
  return mapped(boxes, (box, id) => {
    const at = starts.get(id) ?? start(box);
    return axis === 'across' ? { x: at, y: box.y } : { x: box.x, y: at };
  });
}

function mapped(boxes: Boxes, place: (box: Box, id: NodeId) => Point): Places {
  return Object.fromEntries(
    [...boxes].map(([id, box]) => {
      const { x, y } = place(box, id);
      // Adding zero turns -0 into 0.
      return [id, { x: Math.round(x) + 0, y: Math.round(y) + 0 }];
    }),
  );
}

/** A line that shows with what a dragged box is in line, in canvas units. */
export interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns where a dragged box snaps to the edges and middles of others that are nearer than `reach`, and the guides to draw.
 * Each axis snaps by itself, to the nearest line.
 */
export function snapTo(
  box: Box,
  others: Iterable<Box>,
  reach: number,
): { readonly at: Point; readonly guides: readonly Guide[] } {
  let [bestX, bestY]: [Match | undefined, Match | undefined] = [undefined, undefined];
  for (const other of others) {
    bestX = nearer(bestX, linesOf(box.x, box.width), linesOf(other.x, other.width), reach, other);
    bestY = nearer(bestY, linesOf(box.y, box.height), linesOf(other.y, other.height), reach, other);
  }
  const at = { x: box.x + (bestX?.by ?? 0), y: box.y + (bestY?.by ?? 0) };
  const guides: Guide[] = [];
  if (bestX !== undefined) {
    const ends = [at.y, at.y + box.height, bestX.box.y, bestX.box.y + bestX.box.height];
    guides.push({ axis: 'x', at: bestX.line, from: Math.min(...ends), to: Math.max(...ends) });
  }
  if (bestY !== undefined) {
    const ends = [at.x, at.x + box.width, bestY.box.x, bestY.box.x + bestY.box.width];
    guides.push({ axis: 'y', at: bestY.line, from: Math.min(...ends), to: Math.max(...ends) });
  }
  return { at, guides };
}

interface Match {
  readonly by: number;
  readonly line: number;
  readonly box: Box;
}

function nearer(
  best: Match | undefined,
  own: readonly number[],
  lines: readonly number[],
  reach: number,
  box: Box,
): Match | undefined {
  let found = best;
  // Left is compared with left, middle with middle, right with right: other pairs snap where nothing looks aligned.
  lines.forEach((line, index) => {
    const by = line - (own[index] ?? line);
    if (Math.abs(by) <= reach && (found === undefined || Math.abs(by) < Math.abs(found.by))) found = { by, line, box };
  });
  return found;
}

function linesOf(start: number, length: number): readonly number[] {
  return [start, start + length / 2, start + length];
}
