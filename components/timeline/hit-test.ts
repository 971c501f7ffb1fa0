import { rowAt } from '@/lib/trace/lanes';
import { spanEnd } from '@/lib/trace/trace';
import { barPlace, type Scene } from './paint-bars';

/** A bar is also hit this many CSS pixels beside it, because thin bars are hard to hit. */
const slackPx = 2;

/**
 * Returns the topmost span at a point of the picture (CSS pixels), or `undefined` between bars. Steps are above their
 * instance.
 */
export function spanAt(scene: Scene, x: number, y: number): number | undefined {
  const { rows, trace, window, width, now, scrollTop } = scene;
  const row = rowAt(rows, y + scrollTop);
  const top = rows.tops[row] ?? 0;
  const lane = trace.lanes[rows.lanes[row] ?? -1];
  if (lane === undefined || y + scrollTop >= (rows.tops[row + 1] ?? 0)) return undefined;
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
