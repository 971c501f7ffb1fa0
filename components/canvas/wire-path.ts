import type { FanWay } from '@/lib/graph/fans';
import type { Point } from '@/lib/graph/graph';

const elbow = 14;
const radius = 8;

/** The room for words above a card of a fan. */
const gutterPx = 200;

/** A path in right angles, and the place of its words, which have `room` pixels. */
export interface AngledPath {
  readonly path: string;
  readonly label: Point;
  /** If true, the words begin at the label. Otherwise it is their middle. */
  readonly begins: boolean;
  readonly room: number;
}

/**
 * Returns the path of a wire around the cards of a fan or around other nodes, in right angles with round corners. Its words
 * are in the gutter above the card of a fan that it leads to, otherwise on its long horizontal piece. Returns `undefined` when
 * the nodes were moved so that the wire would lead backwards, unless the way is one that does.
 */
export function fanPath(way: FanWay, from: Point, to: Point): AngledPath | undefined {
  const { into, outOf, around } = way;
  if (around !== undefined) return pathAround(around, from, to);
  const corners: Point[] = [from];
  let at = from;
  const go = (x: number, y: number) => {
    if (x !== at.x || y !== at.y) corners.push({ x, y });
    at = { x, y };
  };
  if (outOf !== undefined) {
    if (outOf.trunkX < from.x && !outOf.isBackwards) return undefined;
    if (outOf.gutterY !== undefined) {
      go(from.x + elbow, from.y);
      go(from.x + elbow, outOf.gutterY);
    }
    go(outOf.trunkX, at.y);
  }
  const trunkX = into?.trunkX ?? outOf?.trunkX ?? from.x;
  if (trunkX < at.x || trunkX > to.x) return undefined;
  go(trunkX, at.y);
  if (into?.gutterY !== undefined) {
    go(trunkX, into.gutterY);
    go(to.x - elbow, into.gutterY);
  }
  go(at.x, to.y);
  go(to.x, to.y);
  return { path: rounded(corners), ...placeOfWords(way, from, to) };
}

/** The words are in the middle of the longest horizontal piece. */
function pathAround(around: readonly Point[], from: Point, to: Point): AngledPath | undefined {
  // The nodes were moved since the way was found.
  if (Math.abs((around[0]?.y ?? from.y) - from.y) > 1 || Math.abs((around.at(-1)?.y ?? to.y) - to.y) > 1)
    return undefined;
  const corners = [from, ...around, to];
  let longest = { x: from.x, y: from.y, width: 0 };
  for (const [index, corner] of corners.entries()) {
    const next = corners[index + 1];
    const width = next === undefined || next.y !== corner.y ? 0 : Math.abs(next.x - corner.x);
    if (next !== undefined && width > longest.width) longest = { x: (corner.x + next.x) / 2, y: corner.y, width };
  }
  const room = Math.max(0, longest.width - 2 * radius);
  return { path: rounded(corners), label: { x: longest.x, y: longest.y }, begins: false, room };
}

function placeOfWords({ into, outOf }: FanWay, from: Point, to: Point): Omit<AngledPath, 'path'> {
  if (into !== undefined || outOf === undefined)
    return { label: { x: to.x, y: into?.gutterY ?? to.y }, begins: true, room: gutterPx };
  const left = from.x + elbow;
  return {
    label: { x: (left + outOf.trunkX) / 2, y: outOf.gutterY ?? from.y },
    begins: false,
    room: Math.abs(outOf.trunkX - left) - 2 * radius,
  };
}

function rounded(corners: readonly Point[]): string {
  const parts: string[] = [];
  corners.forEach((corner, index) => {
    const [before, after] = [corners[index - 1], corners[index + 1]];
    if (before === undefined) parts.push(`M${corner.x} ${corner.y}`);
    else if (after === undefined) parts.push(`L${corner.x} ${corner.y}`);
    else {
      const start = towards(corner, before);
      const end = towards(corner, after);
      parts.push(`L${start.x} ${start.y}Q${corner.x} ${corner.y} ${end.x} ${end.y}`);
    }
  });
  return parts.join('');
}

/** Returns the point where the rounding of a corner begins, at most half of the straight piece away. */
function towards(corner: Point, other: Point): Point {
  const [dx, dy] = [other.x - corner.x, other.y - corner.y];
  const length = Math.hypot(dx, dy);
  const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: corner.x + dx * part, y: corner.y + dy * part };
}
