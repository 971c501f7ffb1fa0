/**
 * Events in, spans out: the one fold behind the live view, the timeline, the history and the usage tables.
 *
 *   instance.queued ─┐                        lane (one per instance path)
 *   instance.started ┴▶ queued span │ instance span ──────────────────────▶ instance.ended
 *   model.started … model.ended       model span
 *   tool.started  … tool.ended        tool span (a sub-row of its own while tools overlap; delegations take none)
 *   workflow.decided                  decision span without duration, and a note with what was decided
 *   setup.started … setup.ended       setup span, in a sub-row like a tool; a failed server is added to the run's facts
 *   person.asked … person.answered    waiting span inside the call that asks, also while no worker has the run
 *   run.suspended … run.resumed       nothing ends: calls that wait go on
 *   run.resumed (otherwise)           steps in flight end as `interrupted` at the last event before, and the next start of
 *                                     the same step is a new span; delegations go on, as their children do
 *   run.finished                      all open spans end with the run
 *
 * Total: an event out of order makes a best-effort span, never an exception. Events at or before `lastSeq` are ignored.
 */
import { countedAs, endInstance, noteSession, queueInstance, startInstance, stepStatus } from './fold-lanes';
import { foldNote } from './fold-notes';
import { endSuspension, foldAnswer, foldQuestion } from './fold-questions';
import { closeSpan } from './fold-spans';
import { foldStep, interruptSteps } from './fold-steps';
import type { SlimEvent } from './slim-event';
import type { SpanStatus } from './span';
import type { Trace } from './trace';

/** Folds one event into the trace, in place. Returns false if the event was folded before. */
export function foldEvent(trace: Trace, event: SlimEvent): boolean {
  if (event.seq <= trace.lastSeq) return false;
  trace.origin ??= event.at;
  // Another clock may be behind the one of the first event. Nothing begins before the run.
  const at = Math.max(0, Math.round((event.at - trace.origin) * 1000));
  apply(trace, event, at);
  trace.lastSeq = event.seq;
  trace.lastAt = Math.max(trace.lastAt, at);
  trace.version++;
  return true;
}

function apply(trace: Trace, event: SlimEvent, at: number): void {
  switch (event.kind) {
    case 'run.started':
      trace.run.runId = event.runId;
      trace.run.correlationId = event.correlationId;
      trace.run.entryAgent = event.entryAgent;
      trace.run.scripted = event.scripted;
      if (event.leftOut) trace.run.leftOut = event.leftOut;
      return;
    case 'run.resumed':
      trace.run.resumed.push(at);
      interruptSteps(trace);
      endSuspension(trace, at);
      return;
    case 'run.suspended':
      trace.run.suspended.push({ at });
      return;
    case 'person.asked':
      foldQuestion(trace, event, at);
      return;
    case 'person.answered':
      foldAnswer(trace, event, at);
      return;
    case 'run.finished':
      trace.run.status = event.status;
      trace.run.error = event.error;
      trace.run.usage = countedAs(trace.run.usage, event.usage);
      endSuspension(trace, at);
      endEverything(trace, at, event.status === 'completed' ? 'cancelled' : stepStatus(event.status));
      return;
    case 'instance.queued':
      queueInstance(trace, event, at);
      return;
    case 'instance.started':
      startInstance(trace, event, at);
      return;
    case 'instance.ended':
      endInstance(trace, event, at);
      return;
    case 'session.opened':
    case 'session.saved':
      noteSession(trace, event, at);
      return;
    case 'setup.started':
    case 'setup.ended':
    case 'model.started':
    case 'model.ended':
    case 'tool.started':
    case 'tool.ended':
    case 'hook.started':
    case 'hook.ended':
      foldStep(trace, event, at);
      return;
    case 'state.changed':
    case 'artifact.saved':
    case 'history.merged':
    case 'agent.created':
    case 'workflow.decided':
    case 'groups.activated':
    case 'log':
      foldNote(trace, event, at);
      return;
    // Only a resumed run needs these events, and the steps that they belong to have a span already.
    case 'url.fetched':
    case 'tool.returned':
      return;
    default:
      // An event kind that this version does not know is ignored. Only the time of the last event is updated.
      event satisfies never;
  }
}

function endEverything(trace: Trace, at: number, status: SpanStatus): void {
  for (const span of trace.steps.values()) {
    if (trace.spans.statusOf(span) === 'open') closeSpan(trace, span, at, status, 0);
  }
  trace.steps.clear();
  for (const lane of trace.lanes) {
    if (lane.state === 'ended') continue;
    lane.state = 'ended';
    lane.status = status;
    lane.endedAt = at;
    closeSpan(trace, lane.span, at, status, 0);
  }
}
