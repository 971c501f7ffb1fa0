import type { Rows } from '@/lib/trace/lanes';
import { NO_SPAN } from '@/lib/trace/span-table';
import { type Lane, spanEnd, type Trace } from '@/lib/trace/trace';
import { focusOn, type TimeWindow } from './time-window';

/**
 * Returns the event after (or before) the selected one. If `lane` holds no selection, it returns the lane's first (or last)
 * event.
 */
export function stepFromRow(
  trace: Trace,
  rows: Rows,
  lane: number,
  selected: number | undefined,
  by: 1 | -1,
): number | undefined {
  const here = selected !== undefined && trace.spans.lane.at(selected) === lane;
  if (!here && (trace.lanes[lane]?.spans.length ?? 0) > 0) return stepInLane(trace, lane, undefined, by);
  return stepSpan(trace, rows, selected, by);
}

/** Returns the next span whose row shows. Spans are numbered in order of start, so it is also the next event. */
export function stepSpan(trace: Trace, rows: Rows, from: number | undefined, by: 1 | -1): number | undefined {
  const start = from === undefined ? (by === 1 ? -1 : trace.spans.length) : from;
  for (let span = start + by; span >= 0 && span < trace.spans.length; span += by) {
    if (isShown(trace, rows, span)) return span;
  }
  return from;
}

export function stepInLane(trace: Trace, lane: number, from: number | undefined, by: 1 | -1): number | undefined {
  const spans = trace.lanes[lane]?.spans;
  if (spans === undefined || spans.length === 0) return from;
  const here = from === undefined ? -1 : spans.ids.data.subarray(0, spans.length).indexOf(from);
  if (here === -1) return spans.ids.at(by === 1 ? 0 : spans.length - 1);
  return spans.ids.at(Math.min(Math.max(here + by, 0), spans.length - 1));
}

/** True if a span failed or timed out, whatever the cause. */
export function isError(trace: Trace, span: number): boolean {
  const status = trace.spans.statusOf(span);
  return status === 'error' || status === 'timeout';
}

/** Returns the slowest step that is no longer than the selected one and comes after it, or the slowest of all at the end. */
export function nextSlowest(trace: Trace, from: number | undefined, now: number): number | undefined {
  const { spans } = trace;
  const time = (span: number) => spanEnd(trace, span, now) - spans.start.at(span);
  const isStep = (span: number) => {
    const kind = spans.kindOf(span);
    return kind === 'model' || kind === 'setup' || (kind === 'tool' && spans.sourceOf(span) !== 'agent');
  };
  const limit = from !== undefined && isStep(from) ? time(from) : Number.POSITIVE_INFINITY;
  let slowest: number | undefined;
  let next: number | undefined;
  for (let span = 0; span < spans.length; span++) {
    if (!isStep(span)) continue;
    if (slowest === undefined || time(span) > time(slowest)) slowest = span;
    const isLater = time(span) < limit || (time(span) === limit && span > (from ?? -1));
    if (isLater && (next === undefined || time(span) > time(next))) next = span;
  }
  return next ?? slowest;
}

/** Decisions take no time, so the window about them has at least this share of the run. */
const leastShare = 0.02;

/** Returns the window that shows these spans, with a margin. `end` is the end of the window of the whole run. */
export function windowOf(trace: Trace, spans: readonly number[], now: number, end: number): TimeWindow {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    from = Math.min(from, trace.spans.start.at(span));
    to = Math.max(to, spanEnd(trace, span, now));
  }
  const isMoment = spans.every((span) => trace.spans.kindOf(span) === 'decision');
  const air = isMoment ? Math.max(0, (end * leastShare - (to - from)) / 2) : 0;
  return focusOn(from - air, to + air, end);
}

export function parentSpan(trace: Trace, span: number): number | undefined {
  const parent = trace.spans.parent.at(span);
  return parent === NO_SPAN ? undefined : parent;
}

/** Returns the instances that a delegation started, one for each attempt, in order. A refused call has none. */
export function childrenOf(trace: Trace, span: number): readonly Lane[] {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  return (lane?.children ?? []).flatMap((index) => {
    const child = trace.lanes[index];
    return child?.parentSpan === span ? [child] : [];
  });
}

function isShown(trace: Trace, rows: Rows, span: number): boolean {
  return (rows.rowOf[trace.spans.lane.at(span)] ?? -1) >= 0;
}
