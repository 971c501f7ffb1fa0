import type { CorrelationId, EpochMs, RunId } from '@/lib/base/ids';
import type { EventBody, EventOf, RunEvent } from './events';

/** The code of the line in a log that separates what was taken from another run from what the run did itself. */
export const takenCode = 'run_again_from';

/** The new run, as the events that it takes must name it. */
export interface Taking {
  readonly runId: RunId;
  readonly correlationId: CorrelationId;
}

/** Rewrites events of one run as events of another one. Ids that contain the run's own id change with it. */
export function takeEvents(
  events: readonly RunEvent[],
  to: Taking,
): readonly { readonly body: EventBody; readonly at: EpochMs }[] {
  const [first] = events;
  if (first?.kind !== 'run.started') return [];
  const opened = events.find((event) => event.kind === 'session.opened' && event.mode === 'conversation');
  const conversation = opened?.kind === 'session.opened' ? opened : undefined;
  const from = { runId: first.runId, correlationId: first.correlationId, conversation };
  return events.map(({ seq: _seq, at, ...body }) => ({ at, body: taken(body as EventBody, from, to) }));
}

interface TakenFrom extends Taking {
  /** The conversation that the old run continued. The new one does not. */
  readonly conversation: EventOf<'session.opened'> | undefined;
}

function taken(body: EventBody, from: TakenFrom, to: Taking): EventBody {
  const correlation = (id: CorrelationId) => (id === from.correlationId ? to.correlationId : id);
  switch (body.kind) {
    case 'run.started':
      return { ...body, runId: to.runId, correlationId: to.correlationId };
    case 'instance.queued': {
      const { parentCorrelationId: parent } = body;
      return {
        ...body,
        correlationId: correlation(body.correlationId),
        ...(parent !== undefined && { parentCorrelationId: correlation(parent) }),
      };
    }
    case 'tool.started':
      return { ...body, correlationId: correlation(body.correlationId) };
    case 'session.opened':
    case 'session.saved':
      return { ...body, sessionId: sessionOf(body.sessionId, from, to) };
    default:
      return body;
  }
}

/** A session of mode `reuse` is named after its run, or after the conversation that its run continues. */
function sessionOf(id: string, { runId, conversation }: TakenFrom, to: Taking): string {
  const ofRun = `reuse:${runId}/`;
  if (id.startsWith(ofRun)) return `reuse:${to.runId}/${id.slice(ofRun.length)}`;
  const ofConversation = `reuse:${conversation?.sessionId}/`;
  if (conversation === undefined || !id.startsWith(ofConversation)) return id;
  return `reuse:${to.runId}/${conversation.path}/${id.slice(ofConversation.length)}`;
}

/** True for the line of a log that `takenCode` names. */
export function endsTaken(event: RunEvent | undefined): event is EventOf<'log'> {
  return event?.kind === 'log' && event.code === takenCode && event.path === undefined;
}

/** Counts the answers that a run takes from another one. */
export function countAnswers(events: readonly RunEvent[]): { readonly modelCalls: number; readonly toolCalls: number } {
  let modelCalls = 0;
  let toolCalls = 0;
  for (const { kind } of events) {
    if (kind === 'model.ended') modelCalls += 1;
    else if (kind === 'tool.ended') toolCalls += 1;
  }
  return { modelCalls, toolCalls };
}
