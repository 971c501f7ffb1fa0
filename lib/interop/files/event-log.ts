import type { CorrelationId, RunId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import type { RunToStore } from '@/lib/interop/run-of-spans';
import { eventFormat, readEventRecord } from '@/lib/runtime/record/event-format';
import type { RunEvent } from '@/lib/runtime/record/events';
import { noUsage } from '@/lib/runtime/record/messages';

/*
 * The event log of a run as a file: one JSON object in each line. The first line names the format, and the events follow in
 * the order of their `seq`.
 */

/** The first line of an event log. */
export function eventLogHeader(): string {
  return `${JSON.stringify({ callboard: 'events', format: eventFormat })}\n`;
}

export function isEventLog(text: string): boolean {
  const first = parseJson(text.slice(0, text.indexOf('\n') + 1 || text.length));
  return isRecord(first) && first.callboard === 'events';
}

/**
 * Reads an event log as an imported run. An incomplete log, of a run that was under way, ends as cancelled at its last event.
 * Throws `UnreadableRecord` for a line that is not an event.
 */
export function readEventLog(text: string): { readonly key: string; readonly make: (runId: RunId) => RunToStore } {
  const [header = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const { format } = parseJson(header) as { readonly format?: unknown };
  const events = lines.map((line) => readEventRecord(typeof format === 'number' ? format : eventFormat, line));
  const first = events[0];
  const key = first?.kind === 'run.started' ? `events\n${first.runId}` : 'events';
  return {
    key,
    make: (runId) => ({
      source: 'callboard-import',
      correlationId: groupOf(first, runId),
      events: [...whole(events, runId)],
    }),
  };
}

function groupOf(first: RunEvent | undefined, runId: RunId): CorrelationId {
  return first?.kind === 'run.started' ? first.correlationId : (runId as unknown as CorrelationId);
}

function* whole(events: readonly RunEvent[], runId: RunId): Generator<RunEvent> {
  let seq = 0;
  for (const event of events) {
    seq += 1;
    yield event.kind === 'run.started' ? { ...event, seq, runId } : { ...event, seq };
  }
  const last = events.at(-1);
  if (last === undefined || last.kind === 'run.finished') return;
  const message = 'The log that was imported ends here: the run was under way.';
  yield {
    seq: seq + 1,
    at: last.at,
    kind: 'run.finished',
    status: 'cancelled',
    error: { code: 'cancelled', message },
    usage: noUsage,
  };
}
