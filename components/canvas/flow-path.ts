import type { GraphFlow } from '@/lib/graph/flows';
import type { Point } from '@/lib/graph/graph';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A path, and where its words begin: beside it, never on a node. */
export interface FlowPath {
  readonly path: string;
  readonly label: Point;
}

/** The way back of a loop is shifted, so that it runs beside the way there. */
const lane: Readonly<Record<GraphFlow['kind'], number>> = { next: 0, join: 0, draft: -9, feedback: 9 };
/** Vertical flows leave a node here, as a share of its width, because wires start and end at its sides. */
const column = 0.15;
/** If two members are further apart than this, another node may be between them, so the flow passes at the side. */
const nearPx = 80;
const sidePx = 44;
const gapPx = 4;

/**
 * Returns the path of a flow between two members of a workflow: straight down or up a column, past the nodes between them,
 * or across.
 */
export function flowPath(kind: GraphFlow['kind'], from: Box, to: Box): FlowPath {
  const shift = lane[kind];
  const apart = Math.abs(to.left - from.left);
  const down = to.top >= from.top;
  const [upper, lower] = down ? [from, to] : [to, from];
  const room = lower.top - (upper.top + upper.height);
  if (apart < from.width / 2 && room > 0) {
    const x = (from.left + to.left) / 2 + from.width * column + shift;
    const [top, bottom] = [upper.top + upper.height + gapPx, lower.top - gapPx];
    if (room <= nearPx && (kind !== 'next' || down)) {
      const path = down ? `M${x} ${top}L${x} ${bottom}` : `M${x} ${bottom}L${x} ${top}`;
      return { path, label: { x: x + 12, y: (top + bottom) / 2 } };
    }
    return aside(from, to, shift);
  }
  return across(from, to, shift);
}

/** Leaves a node at its right side and comes back to the other at the same side. */
function aside(from: Box, to: Box, shift: number): FlowPath {
  const start = { x: from.left + from.width, y: from.top + from.height * 0.8 + shift / 2 };
  const end = { x: to.left + to.width + gapPx, y: to.top + to.height * 0.2 + shift / 2 };
  const x = Math.max(start.x, end.x) + sidePx + shift;
  return {
    path: `M${start.x} ${start.y}C${x} ${start.y} ${x} ${end.y} ${end.x} ${end.y}`,
    label: { x: x - sidePx / 4 + 4, y: (start.y + end.y) / 2 },
  };
}

/** Joins nodes that stand beside each other from side to side. */
function across(from: Box, to: Box, shift: number): FlowPath {
  const right = to.left >= from.left;
  const start = { x: right ? from.left + from.width : from.left, y: from.top + from.height * 0.75 + shift };
  const end = { x: right ? to.left - gapPx : to.left + to.width + gapPx, y: to.top + to.height * 0.75 + shift };
  const bend = Math.max(Math.abs(end.x - start.x) / 2, 24) * (right ? 1 : -1);
  return {
    path: `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`,
    label: { x: (start.x + end.x) / 2 - 24, y: (start.y + end.y) / 2 + 14 },
  };
}

/** The gate before an agent that joins answers: a bar, where the answers arrive in order, and an arrow to the agent. */
export const gate = { beforePx: 30, halfPx: 20 } as const;

/** Returns where an answer arrives at the gate before the target handle `at`. */
export function gatePoint(at: Point, place: { readonly index: number; readonly of: number }): Point {
  const step = place.of < 2 ? 0 : Math.min(10, (2 * gate.halfPx - 8) / (place.of - 1));
  return { x: at.x - gate.beforePx, y: at.y + (place.index - (place.of - 1) / 2) * step };
}
