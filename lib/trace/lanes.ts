import type { Lane, Trace } from './trace';

/** Height of a row whose tools never overlap, in CSS pixels; the rest of the row heights follow from it. */
export const rowHeightPx = 26;
/** Added for each further sub-row. */
const slotHeightPx = 8;
/** More overlapping tools than this share the last sub-row. */
export const mostSlots = 5;
/** Added for each line of hooks. */
export const hookLinePx = 6;
/** Hooks further in than this share the last line. */
export const mostHookLines = 6;

/** In the place of a lane: the row says how many more there are. */
export const NO_LANE = 0xffffffff;

/** A row that stands for the children beyond the first n of a lane. */
export interface CountRow {
  readonly parent: number;
  /** Children that are folded into it, or would be. */
  readonly hidden: number;
  /** Of them, those with a failure. */
  readonly failed: number;
  readonly unfolded: boolean;
}

/**
 * The lanes to draw, top to bottom: children under their parent in the order the model asked, those under a collapsed lane
 * left out, those beyond `max_display_instances` folded into a count. `tops[i]` is the y of row i, `tops[rows]` the height
 * of all, both in CSS pixels.
 *
 *   lead                 row 0
 *     kid[1]             row 1
 *     kid[2]             row 2
 *     +10 more           row 3: NO_LANE, told by `counts`
 */
export interface Rows {
  readonly lanes: Uint32Array;
  readonly tops: Float64Array;
  /** Row of a lane, -1 when it is hidden. */
  readonly rowOf: Int32Array;
  /** By row. */
  readonly counts: ReadonlyMap<number, CountRow>;
}

/** `unfolded`: parents whose children are all shown, even if their cards limit the number. */
export function layoutRows(
  trace: Trace,
  collapsed: ReadonlySet<number>,
  unfolded: ReadonlySet<number> | 'all' = 'all',
): Rows {
  const lanes: number[] = [];
  const counts = new Map<number, CountRow>();
  const rowOf = new Int32Array(trace.lanes.length).fill(-1);
  // A stack, not recursion: a chain of delegations may be deeper than the call stack.
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

/** The lanes above a lane, which must be open for it to have a row. */
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
  return rowHeightPx + (Math.min(lane?.slots ?? 1, mostSlots) - 1) * slotHeightPx + hookRoom(lane);
}

/** Room that a lane's hooks take below its bars. */
export function hookRoom(lane: Pick<Lane, 'hookSlots'> | undefined): number {
  return Math.min(lane?.hookSlots ?? 0, mostHookLines) * hookLinePx;
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
