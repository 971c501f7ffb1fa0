import { laneRank } from '@/lib/trace/lane-rank';
import { heightByRoom, type LaneHeight, layoutRows, type Rows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import type { LaneView } from './lane-view';

/** How high lanes are, and which of them show. */
export interface LaneLook {
  readonly height: LaneHeight | 'auto';
  /** The height of the view, in CSS pixels. */
  readonly roomPx: number;
  readonly only: ReadonlySet<number> | undefined;
}

/** Lays out the rows of a view: which lanes show, in which order and how high. `now` is in microseconds since the origin. */
export function rowsOfView(
  trace: Trace,
  { collapsed, unfolded, sort }: LaneView,
  { height, roomPx, only }: LaneLook,
  now: number,
): Rows {
  const rank = sort === 'order' ? undefined : laneRank(trace, sort, now);
  if (height !== 'auto') return layoutRows(trace, collapsed, unfolded, { rank, only, laneHeight: height });
  const full = layoutRows(trace, collapsed, unfolded, { rank, only });
  const laneHeight = heightByRoom(full, roomPx);
  return laneHeight === 24 ? full : layoutRows(trace, collapsed, unfolded, { rank, only, laneHeight });
}
