import { foldDecision } from './fold-decisions';
import { refuseInstance } from './fold-lanes';
import type { SlimEvent } from './slim-event';
import type { Trace } from './trace';

/** Events that change something other than bars, and lines of the log. */
export type NoteEvent = Extract<
  SlimEvent,
  {
    kind:
      | 'state.changed'
      | 'artifact.saved'
      | 'history.merged'
      | 'agent.created'
      | 'workflow.decided'
      | 'groups.activated'
      | 'log';
  }
>;

/** Marks a call that was answered in place of its tool. */
function markGiven({ steps, spans }: Trace, { code, step }: Extract<NoteEvent, { kind: 'log' }>): void {
  const span = step === undefined ? undefined : steps.get(step);
  if (span === undefined) return;
  if (code === 'answer_pinned') spans.mark(span, 'pinned');
  if (code === 'answer_recorded') spans.mark(span, 'recorded');
}

export function foldNote(trace: Trace, event: NoteEvent, at: number): void {
  const { seq } = event;
  const lane = event.path === undefined ? undefined : trace.laneByPath.get(event.path);
  switch (event.kind) {
    case 'state.changed': {
      const from = event.from === undefined ? undefined : trace.laneByPath.get(event.from);
      trace.notes.push({ seq, at, lane, kind: 'state', outcome: event.outcome, from });
      if (event.outcome === 'refused') refuseInstance(trace, from, event.reason);
      return;
    }
    case 'artifact.saved': {
      const { name, space, version, mimeType, bytes } = event;
      trace.notes.push({ seq, at, lane, kind: 'artifact', name, space, version, mimeType, bytes });
      return;
    }
    case 'history.merged':
      trace.notes.push({ seq, at, lane, kind: 'history', target: event.target, agentName: event.agentName });
      return;
    case 'agent.created':
      trace.notes.push({ seq, at, lane, kind: 'agent', name: event.agent.name });
      return;
    case 'workflow.decided':
      foldDecision(trace, event, at);
      return;
    case 'groups.activated':
      trace.notes.push({ seq, at, lane, kind: 'groups', groups: event.groups });
      return;
    case 'log': {
      const { level, code, message, serverName, step, waitMs } = event;
      const span = step === undefined ? undefined : trace.steps.get(step);
      const wait = waitMs === undefined ? undefined : Math.round(waitMs * 1000);
      trace.logs.push({ seq, at, level, code, message, lane, span, wait, serverName });
      markGiven(trace, event);
      return;
    }
    default:
      event satisfies never;
  }
}
