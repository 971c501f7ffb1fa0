/**
 * Tells failures from what they cause, so that one failed model call counts once: the instance that it ends and the delegation
 * that waited for the instance fail with it, and are not counted again.
 */
import { type SpanStatus, statusCodes } from './span';
import type { Lane, Trace } from './trace';

/**
 * Returns a function that is true for the spans that failed or timed out by themselves. A lane counts those of its spans in
 * `errors`. What ended with the run and has no end of its own did not fail.
 */
export function failureTest(trace: Trace): (span: number) => boolean {
  const { spans } = trace;
  let explained: ReadonlySet<number> | undefined;
  return (span) => {
    const status = spans.status.at(span);
    if (status !== statusCodes.error && status !== statusCodes.timeout) return false;
    if (spans.endSeq.at(span) === 0) return false;
    const kind = spans.kindOf(span);
    // A question that nobody answered in time is no failure. What its call makes of it may be one.
    if (kind === 'waiting') return false;
    if (kind === 'instance' || kind === 'queued') {
      const lane = trace.lanes[spans.lane.at(span)];
      return lane === undefined || lane.error?.code === refusedState || !endedByStep(trace, lane);
    }
    if (kind !== 'tool') return true;
    explained ??= callsOfFailedChildren(trace);
    return !explained.has(span);
  };
}

/** The code of an instance whose writes to the state were refused after it had ended. */
export const refusedState = 'state_refused';

/** True if the model call, tool call or setup of an instance that ended last has failed. */
export function endedByStep(trace: Trace, lane: Lane): boolean {
  const last = lastStepOf(trace, lane);
  return last !== undefined && isFailed(trace.spans.statusOf(last));
}

/** Returns the model call, tool call or setup of an instance that ended last. */
export function lastStepOf({ spans }: Trace, lane: Lane): number | undefined {
  let last: number | undefined;
  for (let i = 0; i < lane.spans.length; i++) {
    const span = lane.spans.ids.at(i);
    const kind = spans.kindOf(span);
    if (kind !== 'model' && kind !== 'tool' && kind !== 'setup') continue;
    if (spans.endSeq.at(span) > (last === undefined ? 0 : spans.endSeq.at(last))) last = span;
  }
  return last;
}

/** Returns the calls whose instance had failed when they ended. The instance counts the failure. */
export function callsOfFailedChildren(trace: Trace): ReadonlySet<number> {
  const { spans } = trace;
  const calls = new Set<number>();
  for (const lane of trace.lanes) {
    if (lane.parentSpan === undefined || !isFailed(lane.status)) continue;
    const failed = failedAt(trace, lane);
    if (failed > 0 && failed < spans.endSeq.at(lane.parentSpan)) calls.add(lane.parentSpan);
  }
  return calls;
}

/** Returns the number of the event with which a failed instance failed; 0 if it only ended with its run. */
function failedAt({ spans, notes }: Trace, lane: Lane): number {
  if (lane.error?.code !== refusedState) return spans.endSeq.at(lane.span);
  const refusal = notes.find((note) => note.kind === 'state' && note.outcome === 'refused' && note.from === lane.index);
  return refusal?.seq ?? 0;
}

export function isFailed(status: SpanStatus): boolean {
  return status === 'error' || status === 'timeout';
}
