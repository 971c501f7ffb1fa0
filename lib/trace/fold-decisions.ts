import { decisionWords } from './decision-words';
import { laneOf } from './fold-lanes';
import { closeSpan, openSpan } from './fold-spans';
import { shortDecision } from './short-decision';
import { shownDecision } from './shown-event';
import type { SlimEvent } from './slim-event';
import type { Trace } from './trace';

/**
 * Adds a decision as a note with its content, and as a span without duration, so that everything that shows, walks and
 * selects spans finds it at its time. Its secrets are redacted, because stored events have them.
 */
export function foldDecision(trace: Trace, event: Extract<SlimEvent, { kind: 'workflow.decided' }>, at: number): void {
  const { seq } = event;
  const decision = shortDecision(shownDecision(event.decision));
  const lane = laneOf(trace, event.path, at);
  trace.notes.push({ seq, at, lane: lane.index, kind: 'decision', decision });
  const span = openSpan(trace, lane, {
    kind: 'decision',
    start: at,
    seq,
    parent: lane.span,
    name: decisionWords(decision),
    source: 'none',
    detail: decision.what,
    slot: 0,
    attempt: 1,
  });
  closeSpan(trace, span, at, 'ok', 0);
  lane.decisions.push(span);
  if (lane.decisions.length === 1) trace.laneVersion++;
}
