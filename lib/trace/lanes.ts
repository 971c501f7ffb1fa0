import type { Lane, Trace } from './trace';

/** The height of a row whose tools never overlap, in CSS pixels. The other row heights are derived from it. */
export const rowHeightPx = 26;
/** The height added for each further sub-row. */
const slotHeightPx = 8;
/** The most sub-rows of a lane. Further overlapping tools share the last one. */
export const mostSlots = 5;
/** The height added for each line of hooks. */
export const hookLinePx = 6;
/** The most lines of hooks of a lane. Hooks further inside share the last one. */
export const mostHookLines = 6;

/** The height added below the bars of a lane for the marks of its decisions. */
export const decisionRoomPx = 18;

/** Stands in the place of a lane for a row that says how many more children there are. */
export const NO_LANE = 0xffffffff;

/** A row that stands for the children beyond the first n of a lane. */
export interface CountRow {
  readonly parent: number;
  /** The number of children that are folded into it, or would be. */
  readonly hidden: number;
  /** The number of those children with a failure. */
  readonly failed: number;
  readonly unfolded: boolean;
}

/**
 * The lanes to draw, top to bottom. Children are under their parent in call order. Those under a collapsed lane are left
 * out, and those beyond `max_display_instances` are folded into a count. `tops[i]` is the y of row i and `tops[rows]` the
 * height of all rows, both in CSS pixels.
 *
 *   lead                 row 0
 *     kid[1]             row 1
 *     kid[2]             row 2
 *     +10 more           row 3: NO_LANE, described in `counts`
 */
export interface Rows {
  readonly lanes: Uint32Array;
  readonly tops: Float64Array;
  /** The row of each lane; -1 when it is hidden. */
  readonly rowOf: Int32Array;
  /** The count rows, by row. */
  readonly counts: ReadonlyMap<number, CountRow>;
}

/** Lays out the rows. `unfolded` names the parents whose children are all shown, even if their cards limit the number. */
export function layoutRows(
  trace: Trace,
  collapsed: ReadonlySet<number>,
  unfolded: ReadonlySet<number> | 'all' = 'all',
): Rows {
  const lanes: number[] = [];
  const counts = new Map<number, CountRow>();
  const rowOf = new Int32Array(trace.lanes.length).fill(-1);
  // A stack is used and not recursion, because a chain of delegations may be deeper than the call stack.
  const pending: (number | CountRow)[] = trace.roots.toReversed();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'number') {
      counts.set(lanes.length, next);
      lanes.push(NO_LANE);
      continue;
    }
    const lane = trace.lanes[next];
    if (lane === undefined || rowOf[next] !== -1) continue;
    rowOf[next] = lanes.length;
    lanes.push(next);
    if (collapsed.has(next)) continue;
    const count = unfolded === 'all' ? undefined : countRow(trace, lane, unfolded.has(next));
    if (count !== undefined) pending.push(count);
    const shown = count === undefined || count.unfolded ? lane.children : lane.children.slice(0, lane.maxDisplay);
    for (let i = shown.length - 1; i >= 0; i--) pending.push(shown[i] ?? 0);
  }
  const tops = new Float64Array(lanes.length + 1);
  for (const [row, index] of lanes.entries()) {
    tops[row + 1] = (tops[row] ?? 0) + laneHeight(trace.lanes[index]);
  }
  return { lanes: Uint32Array.from(lanes), tops, rowOf, counts };
}

function countRow(trace: Trace, lane: Lane, unfolded: boolean): CountRow | undefined {
  const most = lane.maxDisplay;
  if (most === undefined || lane.children.length <= most) return undefined;
  const rest = lane.children.slice(most);
  const failed = rest.filter((child) => (trace.lanes[child]?.errors ?? 0) > 0).length;
  return { parent: lane.index, hidden: rest.length, failed, unfolded };
}

/** Returns the lanes above a lane, which must be open for it to have a row. */
export function lanesAbove(trace: Trace, lane: number): readonly number[] {
  const above: number[] = [];
  const seen = new Set<number>();
  for (let at = trace.lanes[lane]?.parent; at !== undefined && !seen.has(at); at = trace.lanes[at]?.parent) {
    seen.add(at);
    above.push(at);
  }
  return above;
}

export function laneHeight(lane: Lane | undefined): number {
  return rowHeightPx + (Math.min(lane?.slots ?? 1, mostSlots) - 1) * slotHeightPx + hookRoom(lane) + decisionRoom(lane);
}

/** Returns the height that a lane's hooks take below its bars. */
export function hookRoom(lane: Pick<Lane, 'hookSlots'> | undefined): number {
  return Math.min(lane?.hookSlots ?? 0, mostHookLines) * hookLinePx;
}

/** Returns the height that the marks of a lane's decisions take below its bars and hooks. */
export function decisionRoom(lane: Pick<Lane, 'decisions'> | undefined): number {
  return (lane?.decisions.length ?? 0) > 0 ? decisionRoomPx : 0;
}

/** Returns the row at a y of the whole (scrolled) picture, limited to the first and last row. */
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
