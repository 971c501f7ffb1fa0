import { countRoom, type LaneHeight, rowAt } from '@/lib/trace/lanes';
import { isLine, type SpanKind } from '@/lib/trace/span';
import { type Lane, spanEnd } from '@/lib/trace/trace';
import { barPlace, countTop, type Place } from './bar-place';
import { markAt } from './decision-marks';
import { countApartPx } from './hidden-calls';
import type { Scene } from './paint-bars';
import { TimeAxis } from './time-scale';

/** A bar is also hit this many CSS pixels beside it, because thin bars are hard to hit. */
const slackPx = 2;

/** What is under the pointer. */
export interface Hit {
  readonly span: number;
  /** All spans, if the hit stands for several: decisions of a mark, calls that are counted, bars of one pixel. */
  readonly together: readonly number[];
}

/** A hit stands for at most this many spans. */
const mostTogether = 2_000;

/** Returns the mark or the topmost bar at a point of the picture (CSS pixels), or `undefined` between bars. */
export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  const place = laneAt(scene, y);
  if (place === undefined) return undefined;
  if (scene.rows.laneHeight === 24) {
    const mark = markAt(scene, place.lane, place.top, x, y + scene.scrollTop);
    if (mark !== undefined) return { span: mark.span, together: mark.spans.length > 1 ? mark.spans : [] };
  }
  return barsAt(scene, place.lane, x, y + scene.scrollTop - place.top);
}

/** Returns the span that a click selects: of several, the one after the selected one. */
export function nextOf({ span, together }: Hit, selected: number | undefined): number {
  const at = selected === undefined ? -1 : together.indexOf(selected);
  return at === -1 ? span : (together[(at + 1) % together.length] ?? span);
}

/**
 * Returns the topmost span with a bar at a point of the picture (CSS pixels), or `undefined` between bars. Steps are above
 * their instance.
 */
export function spanAt(scene: Scene, x: number, y: number): number | undefined {
  const place = laneAt(scene, y);
  return place && barsAt(scene, place.lane, x, y + scene.scrollTop - place.top)?.span;
}

/** Finds the topmost bar at a point of a row, with those that share its pixels, or the counted calls there. */
function barsAt(scene: Scene, lane: Lane, x: number, within: number): Hit | undefined {
  const { trace, now, rows } = scene;
  const { spans } = trace;
  const axis = axisOf(scene);
  const inCounts = rows.laneHeight === 24 && isInCounts(lane, within);
  /** A count is as wide as its words, although its calls may be short. */
  const before = axis.time(x - (inCounts ? countApartPx : slackPx));
  const begun = axis.time(x - slackPx);
  const counted: number[] = [];
  let top: number[] = [];
  let topRank = -1;
  const after = lane.spans.afterLastStarting(axis.time(x + slackPx));
  for (let i = lane.spans.firstReaching(before); i < after; i++) {
    const span = lane.spans.ids.at(i);
    const end = spanEnd(trace, span, now);
    if (end < before) continue;
    const kind = spans.kindOf(span);
    if (kind === 'decision' && rows.laneHeight === 24) continue;
    const place = barPlace(lane, spans.kind.at(span), spans.source.at(span), spans.slot.at(span), rows.laneHeight);
    if (place === undefined) {
      if (counted.length < mostTogether) counted.push(span);
      continue;
    }
    if (end < begun) continue;
    const rank = rankOf(kind, place, within, rows.laneHeight);
    if (rank < topRank || rank < 0) continue;
    if (rank > topRank) top = [];
    topRank = rank;
    if (top.length < mostTogether) top.push(span);
  }
  if (inCounts && counted.length > 0) return hitOf(counted);
  const last = top.at(-1);
  if (last === undefined) return undefined;
  if (rows.laneHeight < 24 && topRank > 0 && counted.length > 0) return hitOf([...top, ...counted]);
  return topRank > 0 && top.length > 1 && areThin(scene, top) ? hitOf(top) : { span: last, together: [] };
}

function hitOf(together: readonly number[]): Hit | undefined {
  const [span] = together;
  return span === undefined ? undefined : { span, together: together.length > 1 ? together : [] };
}

/** Returns how far in front a bar is at a y of its row, or -1 if it is not there. An instance fills its whole row. */
function rankOf(kind: SpanKind, place: Place, within: number, laneHeight: LaneHeight): number {
  const whole = kind === 'instance' || kind === 'queued';
  if (whole) return 0;
  if (laneHeight === 2) return 2;
  const air = isLine(kind) ? 1.5 : place.height < 6 ? 4 : 0;
  if (within < place.top - air || within >= place.top + place.height + air) return -1;
  return isLine(kind) ? 3 : place.height < 6 ? 1 : 2;
}

function isInCounts(lane: Lane, within: number): boolean {
  const top = countTop(lane, 24);
  return within >= top && within < top + countRoom(lane);
}

/** True if all these bars are so short that several may share a pixel. */
function areThin(scene: Scene, bars: readonly number[]): boolean {
  const { trace, now } = scene;
  const axis = axisOf(scene);
  return bars.every((span) => axis.x(spanEnd(trace, span, now)) - axis.x(trace.spans.start.at(span)) < slackPx);
}

function axisOf({ window, width, scale }: Scene): TimeAxis {
  return new TimeAxis(window, Math.max(width, 1), scale);
}

/** Returns the lane at a y, and the y of its row in the whole (scrolled) picture. */
function laneAt(
  { rows, trace, scrollTop }: Scene,
  y: number,
): { readonly lane: Lane; readonly top: number } | undefined {
  const row = rowAt(rows, y + scrollTop);
  const lane = trace.lanes[rows.lanes[row] ?? -1];
  if (lane === undefined || y + scrollTop >= (rows.tops[row + 1] ?? 0)) return undefined;
  return { lane, top: rows.tops[row] ?? 0 };
}
