import { rowAt } from '@/lib/trace/lanes';
import { type Lane, spanEnd } from '@/lib/trace/trace';
import { markAt } from './decision-marks';
import { barPlace, type Scene } from './paint-bars';

/** A bar is also hit this many CSS pixels beside it, because thin bars are hard to hit. */
const slackPx = 2;

/** What is under the pointer. */
export interface Hit {
  readonly span: number;
  /** All decisions of the mark, if the hit is a mark that stands for several. */
  readonly together: readonly number[];
}

/** Returns the mark or the topmost bar at a point of the picture (CSS pixels), or `undefined` between bars. */
export function hitAt(scene: Scene, x: number, y: number): Hit | undefined {
  const place = laneAt(scene, y);
  if (place === undefined) return undefined;
  const mark = markAt(scene, place.lane, place.top, x, y + scene.scrollTop);
  if (mark !== undefined) return { span: mark.span, together: mark.spans.length > 1 ? mark.spans : [] };
  const span = spanAt(scene, x, y);
  return span === undefined ? undefined : { span, together: [] };
}

/** Returns the decision that a click on a mark selects: of several, the one after the selected one. */
export function nextOf({ span, together }: Hit, selected: number | undefined): number {
  const at = selected === undefined ? -1 : together.indexOf(selected);
  return at === -1 ? span : (together[(at + 1) % together.length] ?? span);
}

/**
 * Returns the topmost span with a bar at a point of the picture (CSS pixels), or `undefined` between bars. Steps are above
 * their instance.
 */
export function spanAt(scene: Scene, x: number, y: number): number | undefined {
  const { trace, window, width, now, scrollTop } = scene;
  const place = laneAt(scene, y);
  if (place === undefined) return undefined;
  const { lane, top } = place;
  const perPx = (window.to - window.from) / Math.max(width, 1);
  const time = window.from + x * perPx;
  const slack = slackPx * perPx;
  const within = y + scrollTop - top;
  let best: number | undefined;
  let bestRank = -1;
  const after = lane.spans.afterLastStarting(time + slack);
  for (let i = lane.spans.firstReaching(time - slack); i < after; i++) {
    const span = lane.spans.ids.at(i);
    if (spanEnd(trace, span, now) < time - slack) continue;
    const kind = trace.spans.kindOf(span);
    if (kind === 'decision') continue;
    const whole = kind === 'instance' || kind === 'queued';
    const place = barPlace(lane, trace.spans.kind.at(span), trace.spans.source.at(span), trace.spans.slot.at(span));
    const air = kind === 'hook' ? 1.5 : place.height < 6 ? 4 : 0;
    const onBar = within >= place.top - air && within < place.top + place.height + air;
    if (!onBar && !whole) continue;
    const rank = whole ? 0 : kind === 'hook' ? 3 : place.height < 6 ? 1 : 2;
    if (rank >= bestRank) {
      best = span;
      bestRank = rank;
    }
  }
  return best;
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
