import { type LaneHeight, laneHeights } from '@/lib/trace/lanes';
import type { LaneFolds } from './lane-scroll';

export const laneSorts = ['order', 'duration', 'cost', 'errors'] as const;
export type LaneSort = (typeof laneSorts)[number];

/** Which lanes show, and in which order. The one who shows the timeline keeps it, as it keeps the window. */
export interface LaneView extends LaneFolds {
  /** What lanes and spans are filtered by; '' shows all. */
  readonly filter: string;
  /** `order` is the order in which the model asked. */
  readonly sort: LaneSort;
  /** The height of lanes, if it was chosen in this view. `auto` means by room. */
  readonly height?: LaneHeight | 'auto' | undefined;
}

/** The view of a run that nobody has changed. */
export const plainView: LaneView = { filter: '', sort: 'order', collapsed: new Set(), unfolded: new Set() };

/** Reads a height of lanes: `2`, `12`, `24` or `auto`. Returns `undefined` for other text. */
export function laneHeightOf(text: string | undefined): LaneHeight | 'auto' | undefined {
  return text === 'auto' ? 'auto' : laneHeights.find((one) => String(one) === text);
}

/**
 * Writes numbers of lanes for the address, with ranges: `0.3_6.9`. A lane has the same number whenever its run is opened,
 * because lanes are numbered in the order of their events.
 */
export function lanesToText(lanes: ReadonlySet<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const lane of [...lanes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === lane - 1) last.to = lane;
    else ranges.push({ from: lane, to: lane });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}_${to}`)).join('.');
}

/** A link names at most this many lanes, so that reading a made-up one takes no time. */
const mostLanes = 100_000;

/** Reads what `lanesToText` wrote. Text that cannot be read is no lanes. */
export function lanesFromText(text: string): ReadonlySet<number> {
  const lanes = new Set<number>();
  if (!/^\d{1,7}(_\d{1,7})?(\.\d{1,7}(_\d{1,7})?)*$/.test(text)) return lanes;
  for (const range of text.split('.')) {
    const [from = 0, to = from] = range.split('_').map(Number);
    const last = Math.min(to, from + mostLanes - lanes.size - 1);
    for (let lane = from; lane <= last; lane++) lanes.add(lane);
    if (lanes.size === mostLanes) break;
  }
  return lanes;
}
