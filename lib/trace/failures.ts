/**
 * Tells failures from what they cause, so that one failed model call counts once: the instance that it ends and the delegation
 * that waited for the instance fail with it, and are not counted again.
 */
import { type SpanStatus, statusCodes } from './span';
import type { Lane, Trace } from './trace';

/** Returns a function that is true for the spans that failed or timed out by themselves. */
export function failureTest(trace: Trace): (span: number) => boolean {
  const { spans } = trace;
  let explained: ReadonlySet<number> | undefined;
  return (span) => {
    const status = spans.status.at(span);
    if (status !== statusCodes.error && status !== statusCodes.timeout) return false;
    const kind = spans.kindOf(span);
    // A question that nobody answered in time is no failure. What its call makes of it may be one.
    if (kind === 'waiting') return false;
    if (kind === 'instance' || kind === 'queued') {
      const lane = trace.lanes[spans.lane.at(span)];
      return lane === undefined || !endedByStep(trace, lane);
    }
    if (spans.sourceOf(span) !== 'agent') return true;
    explained ??= callsOfFailedChildren(trace);
    return !explained.has(span);
  };
}

/** True if the step of an instance that ended last has failed. */
export function endedByStep(trace: Trace, lane: Lane): boolean {
  const { spans } = trace;
  let last: number | undefined;
  for (let i = 0; i < lane.spans.length; i++) {
    const span = lane.spans.ids.at(i);
    const kind = spans.kindOf(span);
    if (kind !== 'model' && kind !== 'tool' && kind !== 'setup') continue;
    if (spans.statusOf(span) === 'open') continue;
    if (last === undefined || spans.end.at(span) >= spans.end.at(last)) last = span;
  }
  return last !== undefined && isFailed(spans.statusOf(last));
}

function callsOfFailedChildren(trace: Trace): ReadonlySet<number> {
  const calls = new Set<number>();
  for (const lane of trace.lanes)
    if (lane.parentSpan !== undefined && isFailed(lane.status)) calls.add(lane.parentSpan);
  return calls;
}

function isFailed(status: SpanStatus): boolean {
  return status === 'error' || status === 'timeout';
}
