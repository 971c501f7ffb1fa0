import type { Lane, Trace } from './trace';

/** The height of a row whose tools never overlap, in CSS pixels. The other row heights are derived from it. */
export const rowHeightPx = 26;
/** The height added for each further sub-row. */
const slotHeightPx = 8;
/** The heights that a lane may have, in CSS pixels: a line without words, a thin row, and a row with sub-rows and words. */
export const laneHeights = [2, 12, 24] as const;
export type LaneHeight = (typeof laneHeights)[number];

/** The most sub-rows of a lane. Further overlapping tools are counted. */
export const mostSlots = 5;
/** The height added for each line of hooks. */
export const hookLinePx = 6;
/** The most lines of hooks of a lane. Hooks further inside are counted. */
export const mostHookLines = 6;
/** The height added for the counts (`+45`) of calls and hooks that have no place of their own. */
const countRoomPx = 13;

/** The height added below the bars of a lane for the marks of its decisions. */
export const decisionRoomPx = 18;

/** Stands in the place of a lane for a row that says how many more children there are. */
export const NO_LANE = 0xffffffff;

/** In another order than that of the calls, only this many children show, and the rest is folded. */
const mostSorted = 10;

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
  readonly laneHeight: LaneHeight;
}

export interface RowOptions {
  /** 24 by default. */
  readonly laneHeight?: LaneHeight | undefined;
  /** Ranks lanes; siblings with the highest number are first. Without it they are in the order of their calls. */
  readonly rank?: ((lane: number) => number) | undefined;
  /** If set, only these lanes have a row, and the lanes above them. */
  readonly only?: ReadonlySet<number> | undefined;
}

/** Lays out the rows. `unfolded` names the parents whose children are all shown, even if their cards limit the number. */
export function layoutRows(
  trace: Trace,
  collapsed: ReadonlySet<number>,
  unfolded: ReadonlySet<number> | 'all' = 'all',
  options: RowOptions = {},
): Rows {
  const { laneHeight = 24, rank } = options;
  const kept = options.only && withLanesAbove(trace, options.only);
  const lanes: number[] = [];
  const counts = new Map<number, CountRow>();
  const rowOf = new Int32Array(trace.lanes.length).fill(-1);
  const inOrder = (siblings: readonly number[]) => {
    const shown = kept === undefined ? siblings : siblings.filter((lane) => kept[lane] === 1);
    return rank === undefined ? shown : [...shown].sort((a, b) => rank(b) - rank(a) || a - b);
  };
  // A stack is used and not recursion, because a chain of delegations may be deeper than the call stack.
  const pending: (number | CountRow)[] = inOrder(trace.roots).toReversed();
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
    const children = inOrder(lane.children);
    const most = rank === undefined ? lane.maxDisplay : mostSorted;
    const isWhole = unfolded === 'all' || most === undefined || children.length <= most;
    const count = isWhole ? undefined : countRow(trace, next, children.slice(most), unfolded.has(next));
    if (count !== undefined) pending.push(count);
    const shown = count === undefined || count.unfolded ? children : children.slice(0, most);
    for (let i = shown.length - 1; i >= 0; i--) pending.push(shown[i] ?? 0);
  }
  const tops = new Float64Array(lanes.length + 1);
  for (const [row, index] of lanes.entries()) {
    tops[row + 1] = (tops[row] ?? 0) + rowHeight(trace.lanes[index], laneHeight);
  }
  return { lanes: Uint32Array.from(lanes), tops, rowOf, counts, laneHeight };
}

/** A row of a count has words, so that it is never as low as a line. */
function rowHeight(lane: Lane | undefined, height: LaneHeight): number {
  if (height === 24) return fullHeight(lane);
  return lane === undefined ? Math.max(height, 16) : height;
}

function countRow(trace: Trace, parent: number, rest: readonly number[], unfolded: boolean): CountRow {
  const failed = rest.filter((child) => (trace.lanes[child]?.errors ?? 0) > 0).length;
  return { parent, hidden: rest.length, failed, unfolded };
}

/** Returns 1 for each of the lanes and for the lanes above them. */
function withLanesAbove(trace: Trace, lanes: ReadonlySet<number>): Uint8Array {
  const kept = new Uint8Array(trace.lanes.length);
  for (const lane of lanes) {
    for (let at: number | undefined = lane; at !== undefined && kept[at] === 0; at = trace.lanes[at]?.parent)
      kept[at] = 1;
  }
  return kept;
}

/** The height at which all lanes fit best: full rows while they are few screens, lines only when there are very many. */
export function heightByRoom(full: Rows, viewPx: number): LaneHeight {
  const count = full.lanes.length;
  const view = Math.max(viewPx, 200);
  if ((full.tops[count] ?? 0) <= view * 6) return 24;
  return count * 12 <= view * 40 ? 12 : 2;
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

function fullHeight(lane: Lane | undefined): number {
  return barsRoom(lane) + 6 + hookRoom(lane) + countRoom(lane) + decisionRoom(lane);
}

/** Returns the height of the bars of a full row, without hooks and marks. */
export function barsRoom(lane: Pick<Lane, 'slots'> | undefined): number {
  return rowHeightPx - 6 + (Math.min(lane?.slots ?? 1, mostSlots) - 1) * slotHeightPx;
}

/** Returns the height that the counts of calls and hooks without a place take below a lane's hooks. */
export function countRoom(lane: Pick<Lane, 'slots' | 'hookSlots'> | undefined): number {
  return (lane?.slots ?? 1) > mostSlots || (lane?.hookSlots ?? 0) > mostHookLines ? countRoomPx : 0;
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
