import { forwardedWords } from '@/components/timeline/lane-signs';
import type { Fetched } from '@/lib/client/event-cache';
import type { RunEvent } from '@/lib/runtime/record/events';
import { type AskedAs, addLaneCost, formatCost, noCost } from '@/lib/trace/cost';
import type { Lane, LaneSession } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';

/** Shows attempt, wait, session, stream and cost of an instance, as terms of a list. */
export function InstanceFacts({ lane, askedAs }: { readonly lane: Lane; readonly askedAs: AskedAs }) {
  const { startedAt, session, forwarded } = lane;
  const cost = addLaneCost(noCost, lane, askedAs);
  return (
    <>
      {lane.attempt > 1 && (
        <>
          <dt>Attempt</dt>
          <dd>{lane.attempt} of this call</dd>
        </>
      )}
      {startedAt !== undefined && startedAt - lane.queuedAt >= 1000 && (
        <>
          <dt>Waited</dt>
          <dd>{formatDuration(startedAt - lane.queuedAt)}</dd>
        </>
      )}
      {session !== undefined && (
        <>
          <dt>Session</dt>
          <dd>
            <span className="break-all font-mono">{session.id}</span>
            <span className="text-muted"> · {sessionWords(session)}</span>
          </dd>
        </>
      )}
      {forwarded !== undefined && (
        <>
          <dt>Events</dt>
          <dd>{forwardedWords(forwarded)}</dd>
        </>
      )}
      {lane.usage.modelCalls > 0 && (
        <>
          <dt>Cost</dt>
          <dd title={cost.unpriced.length > 0 ? `No price is known for ${cost.unpriced.join(', ')}` : undefined}>
            {formatCost(cost)}
          </dd>
        </>
      )}
    </>
  );
}

function sessionWords({ mode, version, saved }: LaneSession): string {
  const began = version === 0 ? 'opened' : `continued after ${version === 1 ? '1 turn' : `${version} turns`}`;
  return `${mode}, ${began}, ${saved === undefined ? 'not saved' : 'saved'}`;
}

/** Shows what the event that opened a span has beside its payload, as terms of a list. */
export function EventFacts({ event: fetched }: { readonly event: Fetched<RunEvent> | undefined }) {
  if (fetched === undefined || fetched === 'loading' || !('value' in fetched)) return null;
  const event = fetched.value;
  switch (event.kind) {
    case 'model.started':
      return (
        <>
          <dt>Request</dt>
          <dd>
            {event.messageCount} {event.messageCount === 1 ? 'message' : 'messages'}, {event.tools.length} tools
          </dd>
          {event.provider !== undefined && event.provider !== 'callboard' && (
            <>
              <dt>Provider</dt>
              <dd>{event.modelName === undefined ? event.provider : `${event.provider}, as ${event.modelName}`}</dd>
            </>
          )}
        </>
      );
    case 'instance.started':
      // A workflow that asks no model itself has none.
      if (!event.model) return null;
      return (
        <>
          <dt>Model</dt>
          <dd>{event.model}</dd>
        </>
      );
    case 'tool.started':
      return (
        <>
          <dt>Call id</dt>
          <dd className="break-all font-mono">{event.callId}</dd>
        </>
      );
    default:
      return null;
  }
}
