import { failureTest, isFailed, lastStepOf } from './failures';
import type { Lane, Trace } from './trace';

/** A step that failed by itself, what failed with it, and what went well afterwards. */
export interface ListedFailure {
  readonly span: number;
  /** When it failed, in microseconds since the origin. */
  readonly at: number;
  /** The lanes that it ended, the nearest first. */
  readonly ended: readonly number[];
  /** The number of the later attempt of the same call that went well. */
  readonly recoveredBy: number | undefined;
}

/** Returns what failed by itself, in the order of the failures. */
export function failureList(trace: Trace): readonly ListedFailure[] {
  const isFailure = failureTest(trace);
  const found: ListedFailure[] = [];
  for (let span = 0; span < trace.spans.length; span++) {
    if (!isFailure(span)) continue;
    const ended = lanesEndedBy(trace, span);
    const recoveredBy = laterAttempt(trace, span) ?? laterLane(trace, ended);
    found.push({ span, at: trace.spans.end.at(span), ended, recoveredBy });
  }
  return found.sort((a, b) => a.at - b.at || a.span - b.span);
}

/** Follows a failure up: a step ends its instance, the instance fails the call that made it, and that call may end the next one. */
function lanesEndedBy(trace: Trace, failure: number): readonly number[] {
  const { spans } = trace;
  const ended: number[] = [];
  for (let span = failure; isFailed(spans.statusOf(span)); ) {
    const lane = trace.lanes[spans.lane.at(span)];
    if (lane === undefined || !isFailed(lane.status) || ended.includes(lane.index)) break;
    if (lane.span !== span && lastStepOf(trace, lane) !== span) break;
    ended.push(lane.index);
    if (lane.parentSpan === undefined) break;
    span = lane.parentSpan;
  }
  return ended;
}

/** Returns the number of a later attempt of the same step that went well. */
function laterAttempt({ spans, lanes }: Trace, failure: number): number | undefined {
  const ids = lanes[spans.lane.at(failure)]?.spans.ids;
  const kind = spans.kindOf(failure);
  if (ids === undefined || kind === 'instance' || kind === 'queued') return undefined;
  for (let i = 0; i < ids.length; i++) {
    const span = ids.at(i);
    const isSame = spans.kindOf(span) === kind && spans.name.at(span) === spans.name.at(failure);
    const isLater = span > failure && spans.attempt.at(span) > spans.attempt.at(failure);
    if (isSame && isLater && spans.statusOf(span) === 'ok') return spans.attempt.at(span);
  }
  return undefined;
}

/** Returns the number of a later attempt of a call whose instance failed. */
function laterLane({ lanes }: Trace, ended: readonly number[]): number | undefined {
  const isLater = (one: Lane, failed: Lane) =>
    one.parentSpan === failed.parentSpan && one.attempt > failed.attempt && one.status === 'ok';
  for (const index of ended) {
    const failed = lanes[index];
    if (failed?.parentSpan === undefined) continue;
    const later = lanes.find((one) => isLater(one, failed));
    if (later !== undefined) return later.attempt;
  }
  return undefined;
}
