import { callAround } from '@/lib/runtime/record/step-key';
import { holdsSlot } from './busy-slots';
import { laneOf } from './fold-lanes';
import { closeSpan, openSpan, takeSlot } from './fold-spans';
import type { SlimEvent } from './slim-event';
import type { SpanStatus } from './span';
import type { Trace } from './trace';

/**
 * A question to a person is a span of its call, from when it was asked until it was answered, withdrawn or expired. It stays open
 * while no worker has the run.
 *
 *   tool      ├──────────────────────────────┤
 *   waiting      ├───────────────────┤            in the sub-row of its call, or in one of its own
 */
type Of<K extends SlimEvent['kind']> = Extract<SlimEvent, { kind: K }>;

export function foldQuestion(trace: Trace, event: Of<'person.asked'>, at: number): void {
  if (trace.steps.has(event.item)) return;
  const lane = laneOf(trace, event.path, at);
  const call = trace.steps.get(callAround(event.step) ?? event.step);
  const span = openSpan(trace, lane, {
    kind: 'waiting',
    start: at,
    seq: event.seq,
    parent: call ?? lane.span,
    name: event.sentence,
    source: 'none',
    detail: event.what,
    // A delegation has no sub-row of its own.
    slot:
      call !== undefined && holdsSlot(trace, call)
        ? trace.spans.slot.at(call)
        : takeSlot(trace, lane, 'waiting', 'none'),
    attempt: 1,
  });
  trace.steps.set(event.item, span);
  trace.questions.push(span);
}

export function foldAnswer(trace: Trace, { item, outcome, answer, seq }: Of<'person.answered'>, at: number): void {
  const span = trace.steps.get(item);
  if (span === undefined) return;
  trace.steps.delete(item);
  if (answer?.decision === 'deny') trace.spans.mark(span, 'denied');
  if (answer?.decision === 'edit') trace.spans.mark(span, 'edited');
  closeSpan(trace, span, at, ends[outcome], seq);
}

const ends = {
  answered: 'ok',
  expired: 'timeout',
  withdrawn: 'cancelled',
} as const satisfies Record<Of<'person.answered'>['outcome'], SpanStatus>;

/** Ends the time in which no worker had the run. */
export function endSuspension({ run }: Trace, at: number): void {
  const last = run.suspended.at(-1);
  if (last !== undefined && last.until === undefined)
    run.suspended[run.suspended.length - 1] = { at: last.at, until: at };
}

/** Returns the calls that a person is asked about now. */
export function askingCalls({ spans, steps }: Trace): ReadonlySet<number> {
  const asking = new Set<number>();
  for (const span of steps.values()) if (spans.kindOf(span) === 'waiting') asking.add(spans.parent.at(span));
  return asking;
}
