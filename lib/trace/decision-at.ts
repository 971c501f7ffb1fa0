import type { WorkflowDecision } from '@/lib/runtime/record/decision';
import type { RunNote, Trace } from './trace';

type DecisionNote = Extract<RunNote, { kind: 'decision' }>;

/** Returns the decision that a span stands for, or `undefined` for a span of another kind. */
export function decisionAt(trace: Pick<Trace, 'notes' | 'spans'>, span: number): WorkflowDecision | undefined {
  if (trace.spans.kindOf(span) !== 'decision') return undefined;
  return decisionNote(trace.notes, trace.spans.startSeq.at(span))?.decision;
}

/** Returns the note of an event that is a decision. Notes are in the order of events. */
export function decisionNote(notes: readonly RunNote[], seq: number): DecisionNote | undefined {
  let low = 0;
  let high = notes.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((notes[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  const note = notes[low];
  return note?.seq === seq && note.kind === 'decision' ? note : undefined;
}
