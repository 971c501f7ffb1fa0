/**
 * Where a play-head can go: to the events of a run, to its errors, to its slowest step, and over stretches in which nothing
 * happens. Moments are microseconds since the origin.
 */
import { failureTest } from './failures';
import type { Lane, Trace } from './trace';

/** Returns the moments at which a span began or ended, in order. Several events may share one. */
export function eventTimes({ spans }: Pick<Trace, 'spans'>): Float64Array {
  const times = new Float64Array(spans.length * 2);
  let count = 0;
  for (let span = 0; span < spans.length; span++) {
    times[count++] = spans.start.at(span);
    const end = spans.end.at(span);
    if (end !== Number.POSITIVE_INFINITY) times[count++] = end;
  }
  return times.subarray(0, count).sort();
}

/** Returns the next of the sorted moments after (or before) `from`, or `undefined` beyond the last. */
export function nextTime(times: Float64Array, from: number, by: 1 | -1): number | undefined {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const time = times[middle] ?? 0;
    if (by === 1 ? time <= from : time < from) low = middle + 1;
    else high = middle;
  }
  return times[by === 1 ? low : low - 1];
}

/** Returns the next moment at which something of one lane began or ended. */
export function nextTimeInLane(
  { spans }: Pick<Trace, 'spans'>,
  lane: Pick<Lane, 'spans'>,
  from: number,
  by: 1 | -1,
): number | undefined {
  let best: number | undefined;
  const offer = (time: number) => {
    if (time === Number.POSITIVE_INFINITY || (time - from) * by <= 0) return;
    if (best === undefined || (time - best) * by < 0) best = time;
  };
  for (let i = 0; i < lane.spans.length; i++) {
    const span = lane.spans.ids.at(i);
    offer(spans.start.at(span));
    offer(spans.end.at(span));
  }
  return best;
}

/** Returns the span that began at a moment, or else the one that ended then: the innermost, in `lane` if one is given. */
export function spanAtTime({ spans }: Pick<Trace, 'spans'>, moment: number, lane?: number): number | undefined {
  let ended: number | undefined;
  for (let span = spans.length - 1; span >= 0; span--) {
    if (lane !== undefined && spans.lane.at(span) !== lane) continue;
    if (spans.start.at(span) === moment) return span;
    if (spans.end.at(span) === moment) ended ??= span;
  }
  return ended;
}

/** Returns the span that failed by itself next after (or before) a moment, or `undefined` if there is none. */
export function nextError(
  trace: Trace,
  from: number,
  by: 1 | -1,
): { readonly span: number; readonly at: number } | undefined {
  const { spans } = trace;
  const isFailure = failureTest(trace);
  let best: { span: number; at: number } | undefined;
  for (let span = 0; span < spans.length; span++) {
    if (!isFailure(span)) continue;
    const at = spans.end.at(span);
    if ((at - from) * by <= 0) continue;
    if (best === undefined || (at - best.at) * by < 0) best = { span, at };
  }
  return best;
}

/**
 * Returns the next span that failed or timed out by itself, also in folded rows, in the order in which they failed, as the list of failures
 * has them. After the last one it starts again with the first.
 */
export function stepError(trace: Trace, from: number | undefined, by: 1 | -1): number | undefined {
  const { spans } = trace;
  const isFailure = failureTest(trace);
  const isLater = (span: number, than: number, thanAt: number) =>
    spans.end.at(span) > thanAt || (spans.end.at(span) === thanAt && span > than);
  const place = from === undefined ? undefined : isFailure(from) ? spans.end.at(from) : spans.start.at(from);
  let [first, last, next, before]: (number | undefined)[] = [];
  for (let span = 0; span < spans.length; span++) {
    if (!isFailure(span)) continue;
    if (first === undefined || !isLater(span, first, spans.end.at(first))) first = span;
    if (last === undefined || isLater(span, last, spans.end.at(last))) last = span;
    if (from === undefined || place === undefined || span === from) continue;
    if (isLater(span, from, place)) {
      if (next === undefined || !isLater(span, next, spans.end.at(next))) next = span;
    } else if (before === undefined || isLater(span, before, spans.end.at(before))) before = span;
  }
  return (by === 1 ? (next ?? first) : (before ?? last)) ?? from;
}

/** Returns the longest step that has ended: a model call, a tool call that is no delegation, or a start of a server. */
export function slowestStep({ spans }: Pick<Trace, 'spans'>): number | undefined {
  let best: number | undefined;
  let longest = -1;
  for (let span = 0; span < spans.length; span++) {
    const kind = spans.kindOf(span);
    if (kind !== 'model' && kind !== 'setup' && (kind !== 'tool' || spans.sourceOf(span) === 'agent')) continue;
    const end = spans.end.at(span);
    if (end === Number.POSITIVE_INFINITY || end - spans.start.at(span) <= longest) continue;
    longest = end - spans.start.at(span);
    best = span;
  }
  return best;
}

/** A stretch in which nothing began or ended. */
export interface IdleGap {
  readonly from: number;
  readonly to: number;
}

/** A shorter stretch without events (microseconds) is played as it is. */
const shortestGap = 2_000_000;
/** This much time (microseconds) at either end of a gap is played as it is, so that one sees what ended and what comes. */
const gapEdge = 250_000;

/** Returns the stretches without an event that a replay may shorten, in order. */
export function idleGaps(times: Float64Array): readonly IdleGap[] {
  const gaps: IdleGap[] = [];
  let last = 0;
  for (const time of times) {
    if (time - last >= shortestGap) gaps.push({ from: last + gapEdge, to: time - gapEdge });
    last = time;
  }
  return gaps;
}

/** A gap is played in this many milliseconds of the viewer's time, at any speed. */
const gapMs = 400;

/**
 * Returns the moment after `ms` of the viewer's time.
 *
 *   time of the run   ├────────┤· · · · · gap · · · · ·├───────┤
 *   time of viewing   ├────────┤·┤  (400 ms)           ├───────┤
 */
export function advance(moment: number, ms: number, speed: number, gaps: readonly IdleGap[]): number {
  let at = moment;
  let left = ms;
  for (const gap of gaps) {
    if (gap.to <= at) continue;
    const before = Math.max(0, gap.from - at) / (speed * 1000);
    if (before >= left) break;
    left -= before;
    at = Math.max(at, gap.from);
    // A gap is never played slower than the rest.
    const pace = Math.max((gap.to - gap.from) / gapMs, speed * 1000);
    const through = (gap.to - at) / pace;
    if (through >= left) return at + left * pace;
    left -= through;
    at = gap.to;
  }
  return at + left * speed * 1000;
}
