import { layoutRows } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';

/** The height of the ruler in CSS pixels. */
export const axisPx = 24;
/** The height of the row of tools, of the overview and of the strip below it, each with the line under it. */
const abovePx = 36 + 37 + 23;
/** A timeline of few lanes still has room for a table and a message. */
const leastPx = 160;
/** The height without any lane, with room for the sentence that says why. */
const emptyPx = 240;

const none: ReadonlySet<number> = new Set();

/** Returns the height in CSS pixels at which every lane of a trace shows, but at most half of the available height. */
export function timelineHeight(trace: Trace, availablePx: number): number {
  const { lanes, tops } = layoutRows(trace, none, none);
  if (lanes.length === 0) return emptyPx;
  const lanesPx = tops[lanes.length] ?? 0;
  return Math.max(leastPx, Math.min(abovePx + axisPx + lanesPx + 1, Math.floor(availablePx / 2)));
}
