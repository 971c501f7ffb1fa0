import { slotsOf } from './busy-slots';
import { isLine, kindCodes, type SpanKind, type SpanStatus } from './span';
import { NO_SPAN, type SpanSource, sourceCodes } from './span-table';
import { internString, type Lane, type Trace } from './trace';

/**
 * A span at its start. All fields are always present, because the fold makes a hundred thousand of these objects and equal
 * shapes are faster.
 */
interface NewSpan {
  readonly kind: SpanKind;
  readonly start: number;
  readonly seq: number;
  readonly parent: number;
  readonly name: string;
  readonly source: SpanSource;
  readonly detail: string;
  readonly slot: number;
  readonly attempt: number;
}

/** Makes the span of a lane itself, waiting or running. */
export function instanceSpan(lane: Lane, kind: 'instance' | 'queued', start: number, seq: number): NewSpan {
  const parent = lane.parentSpan ?? NO_SPAN;
  return {
    kind,
    start,
    seq,
    parent,
    name: lane.instanceName,
    source: 'none',
    detail: '',
    slot: 0,
    attempt: lane.attempt,
  };
}

/** Adds an open span and returns its number. */
export function openSpan(trace: Trace, lane: Lane, row: NewSpan): number {
  const { spans } = trace;
  spans.kind.push(kindCodes[row.kind]);
  spans.status.push(0);
  spans.source.push(sourceCodes[row.source]);
  spans.start.push(row.start);
  spans.end.push(Number.POSITIVE_INFINITY);
  spans.lane.push(lane.index);
  spans.parent.push(row.parent);
  spans.name.push(internString(trace, row.name));
  spans.detail.push(internString(trace, row.detail));
  spans.inputTokens.push(0);
  spans.outputTokens.push(0);
  spans.cachedTokens.push(0);
  spans.reasoningTokens.push(0);
  spans.firstToken.push(0);
  spans.startSeq.push(row.seq);
  spans.endSeq.push(0);
  spans.slot.push(row.slot);
  spans.attempt.push(row.attempt);
  spans.flags.push(0);
  lane.spans.push(spans.length - 1, row.start, Number.POSITIVE_INFINITY);
  return spans.length - 1;
}

export function closeSpan(trace: Trace, span: number, at: number, status: SpanStatus, seq: number): void {
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const wasOpen = trace.spans.statusOf(span) === 'open';
  trace.spans.close(span, at, status, seq);
  lane?.spans.setEnd(span, trace.spans.end.at(span));
  if (lane !== undefined && wasOpen) slotsOf(trace, span, lane)?.delete(trace.spans.slot.at(span));
}

/** Returns the first free sub-row or line for a step. The lane grows if all are in use. */
export function takeSlot(trace: Trace, lane: Lane, kind: SpanKind, source: SpanSource): number {
  if (isLine(kind)) {
    const line = lane.busyHooks.take();
    if (line >= lane.hookSlots) {
      lane.hookSlots = line + 1;
      trace.laneVersion++;
    }
    return line;
  }
  if (kind !== 'setup' && kind !== 'waiting' && (kind !== 'tool' || source === 'agent')) return 0;
  const slot = lane.busySlots.take();
  if (slot >= lane.slots) {
    lane.slots = slot + 1;
    trace.laneVersion++;
  }
  return slot;
}
