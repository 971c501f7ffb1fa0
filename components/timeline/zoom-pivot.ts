import { kindCodes } from '@/lib/trace/span';
import { spanEnd, type Trace } from '@/lib/trace/trace';
import { TimeAxis, type TimeScale } from './time-scale';
import type { TimeWindow } from './time-window';

interface Points {
  /** The play-head, in microseconds since the origin. */
  readonly moment: number | undefined;
  readonly selected: number | undefined;
  /** The time to which open bars reach. */
  readonly now: number;
  readonly scale: TimeScale;
}

/**
 * Returns what stays in its place in a zoom that has no pointer, as a share of the window: the play-head, else the selected bar, else the
 * middle. Where no step is in the middle, it is the one next to it, because a zoom should not lead to where nothing is.
 */
export function zoomPivot(trace: Trace, window: TimeWindow, { moment, selected, now, scale }: Points): number {
  const axis = new TimeAxis(window, 1, scale);
  if (moment !== undefined && moment >= window.from && moment <= window.to) return axis.x(moment);
  const middle = axis.time(0.5);
  const of = (span: number) => nearestIn(window, trace.spans.start.at(span), spanEnd(trace, span, now), middle);
  const chosen = selected === undefined || selected >= trace.spans.length ? undefined : of(selected);
  if (chosen !== undefined) return axis.x(chosen);
  let best: number | undefined;
  for (let span = 0; span < trace.spans.length; span++) {
    const kind = trace.spans.kind.at(span);
    if (kind === kindCodes.instance || kind === kindCodes.queued) continue;
    const near = of(span);
    if (near !== undefined && (best === undefined || Math.abs(near - middle) < Math.abs(best - middle))) best = near;
  }
  return axis.x(best ?? middle);
}

/** Returns the time of a bar in the window that is nearest to `middle`; `undefined` if the bar is not in it. */
function nearestIn(window: TimeWindow, from: number, to: number, middle: number): number | undefined {
  if (to < window.from || from > window.to) return undefined;
  return Math.min(Math.max(middle, from, window.from), Math.max(Math.min(to, window.to), from));
}
