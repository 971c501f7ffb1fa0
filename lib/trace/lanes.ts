import type { Lane, Trace } from './trace';

/** Height of a row whose tools never overlap, in CSS pixels; the rest of the row heights follow from it. */
export const rowHeightPx = 26;
/** Added for each further sub-row. */
const slotHeightPx = 8;
/** More overlapping tools than this share the last sub-row. */
export const mostSlots = 5;

/**
 * The lanes to draw, top to bottom: children under their parent in the order the model asked, those under a collapsed lane
 * left out. `tops[i]` is the y of row i, `tops[rows]` the height of all, both in CSS pixels.
 */
export interface Rows {
  readonly lanes: Uint32Array;
  readonly tops: Float64Array;
  /** Row of a lane, -1 when it is hidden. */
  readonly rowOf: Int32Array;
}

export function layoutRows(trace: Trace, collapsed: ReadonlySet<number>): Rows {
  const lanes: number[] = [];
  const rowOf = new Int32Array(trace.lanes.length).fill(-1);
  // A stack, not recursion: a chain of delegations may be deeper than the call stack.
  const pending = trace.roots.toReversed();
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const lane = trace.lanes[index];
    if (lane === undefined || rowOf[index] !== -1) continue;
    rowOf[index] = lanes.length;
    lanes.push(index);
    if (!collapsed.has(index)) pending.push(...lane.children.toReversed());
  }
  const tops = new Float64Array(lanes.length + 1);
  for (const [row, index] of lanes.entries()) {
    tops[row + 1] = (tops[row] ?? 0) + laneHeight(trace.lanes[index]);
  }
  return { lanes: Uint32Array.from(lanes), tops, rowOf };
}

export function laneHeight(lane: Lane | undefined): number {
  return rowHeightPx + (Math.min(lane?.slots ?? 1, mostSlots) - 1) * slotHeightPx;
}

/** Row under a y of the whole (scrolled) picture; clamped to the first and last. */
export function rowAt(rows: Rows, y: number): number {
  let low = 0;
  let high = rows.lanes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((rows.tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Every lane under this one, itself not counted. */
export function countDescendants(trace: Trace, lane: Lane): number {
  let count = 0;
  const pending = [...lane.children];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    count++;
    pending.push(...(trace.lanes[index]?.children ?? []));
  }
  return count;
}
