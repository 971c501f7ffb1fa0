import { type QuietStretch, quietTime } from '@/lib/trace/quiet-stretches';
import type { Trace } from '@/lib/trace/trace';
import { type Ticks, type TimeWindow, tickStep, ticks, ticksEvery, wholeRun } from './time-window';

/** A stretch of time that is drawn shorter than it was. Times are microseconds since the run's origin. */
export interface ShortStretch extends QuietStretch {
  /** Where it begins, and how long it is, in drawn time. */
  readonly at: number;
  readonly drawn: number;
  /** Where it ends, or of a stretch without an end what the time was when the scale was made. */
  readonly until: number;
}

/**
 * Says how long time is drawn: quiet stretches short, all others as they were.
 *
 *   time    ├─ works ─┤· · · · nobody works · · · ·├─ works ─┤
 *   drawn   ├─ works ─┤≈≈≈┤─ works ─┤
 *
 * Drawn time is microseconds of the axis. It always grows with time, so that each place of the axis is one moment. A stretch without an end
 * is drawn shorter and shorter, and never longer than it would be with one.
 */
export class TimeScale {
  constructor(readonly stretches: readonly ShortStretch[]) {}

  drawn(time: number): number {
    const { stretches } = this;
    if (stretches.length === 0) return time;
    const last = stretches[lastFrom(stretches, (one) => one.from <= time)];
    if (last === undefined) return time;
    if (time >= last.to) return last.at + last.drawn + (time - last.to);
    const into = time - last.from;
    return (
      last.at +
      last.drawn * (last.to === Number.POSITIVE_INFINITY ? into / (into + last.drawn) : into / (last.to - last.from))
    );
  }

  time(drawn: number): number {
    const { stretches } = this;
    if (stretches.length === 0) return drawn;
    const last = stretches[lastFrom(stretches, (one) => one.at <= drawn)];
    if (last === undefined) return drawn;
    const into = drawn - last.at;
    if (last.to !== Number.POSITIVE_INFINITY)
      return into >= last.drawn
        ? last.to + (into - last.drawn)
        : last.from + (into / last.drawn) * (last.to - last.from);
    const share = Math.min(into / last.drawn, mostOfOpen);
    return last.from + (last.drawn * share) / (1 - share);
  }

  /** Changes a window as it is drawn: a zoom or a step sideways is as long on the screen wherever it is. `end` is that of the whole run. */
  change(window: TimeWindow, end: number, change: (drawn: TimeWindow, end: number) => TimeWindow): TimeWindow {
    if (this.stretches.length === 0) return change(window, end);
    const drawn = { from: this.drawn(window.from), to: this.drawn(window.to) };
    const next = change(drawn, this.drawn(end));
    if (next === drawn) return window;
    const { from, to } = next;
    const start = this.time(from);
    return { from: start, to: Math.min(Math.max(this.time(to), start + 1), Math.max(end, start + 1)) };
  }

  /** Returns the end of the window of a whole run that has come to `now`. */
  whole(now: number): number {
    const last = this.stretches.at(-1);
    if (last === undefined) return wholeRun(now);
    // After a stretch without an end there is no bar, and what is drawn after now would be years.
    return last.to === Number.POSITIVE_INFINITY && now > last.from ? now : this.time(wholeRun(this.drawn(now)));
  }
}

/** Of a stretch without an end, the part of the drawn length that a time can have. */
const mostOfOpen = 1 - 1e-9;

/** Draws all time as it was. */
export const evenScale = new TimeScale([]);

/** Where times are in a picture. */
export class TimeAxis {
  private readonly from: number;
  private readonly perDrawn: number;

  /** `width` is that of the picture, in any unit. */
  constructor(
    window: TimeWindow,
    width: number,
    private readonly scale: TimeScale,
  ) {
    this.from = scale.drawn(window.from);
    this.perDrawn = width / Math.max(scale.drawn(window.to) - this.from, 1e-6);
  }

  x(time: number): number {
    return (this.scale.drawn(time) - this.from) * this.perDrawn;
  }

  time(x: number): number {
    return this.scale.time(this.from + x / this.perDrawn);
  }
}

/** Returns the ticks of an axis as `ticks` does: none inside of short stretches, and elsewhere with the step that fits to what is drawn. */
export function ticksOf(window: TimeWindow, scale: TimeScale, widthPx: number, apartPx: number, zero = 0): Ticks {
  if (scale.stretches.length === 0) return ticks(window, widthPx, apartPx, zero);
  const step = tickStep(((scale.drawn(window.to) - scale.drawn(window.from)) / Math.max(widthPx, 1)) * apartPx);
  const at: number[] = [];
  let from = window.from;
  for (const stretch of [...scale.stretches, { from: window.to, to: window.to }]) {
    if (stretch.from > from) at.push(...ticksEvery(step, { from, to: Math.min(stretch.from, window.to) }, zero));
    from = Math.max(from, stretch.to);
    if (from >= window.to) break;
  }
  return { step, at };
}

/** A shorter stretch (microseconds) is drawn as it was. */
const shortest = 10_000_000;
/** So is one that is shorter than this part of the time in which something worked. */
const leastPart = 1 / 4;
/** A stretch is drawn as long as this part of that time, and all of them together at most as long as `mostPart` of it. */
const drawnPart = 1 / 20;
const mostPart = 1 / 2;
/** The least drawn length of a stretch (microseconds), for a run in which hardly anything worked. */
const leastDrawn = 1_000;

/** Returns the scale of a run: quiet stretches that are long beside its work are drawn short. `now` and `goesOn` are as in `quietTime`. */
export function scaleOf(trace: Trace, now: number, goesOn: boolean): TimeScale {
  const { stretches, busy } = quietTime(trace, shortest, now, goesOn);
  const long = stretches.filter(({ from, to }) => to - from >= busy * leastPart);
  if (long.length === 0) return evenScale;
  const drawn = Math.max(Math.min(busy * drawnPart, (busy * mostPart) / long.length), leastDrawn);
  let cut = 0;
  return new TimeScale(
    long.map(({ from, to }) => {
      const at = from - cut;
      cut += to - from - drawn;
      return { from, to, at, drawn, until: Math.min(to, now) };
    }),
  );
}

/** Returns the place of the last of ordered things for which `is` holds, or -1. */
function lastFrom(stretches: readonly ShortStretch[], is: (one: ShortStretch) => boolean): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = stretches[middle];
    if (one !== undefined && is(one)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
