import type { RunId } from '@/lib/base/ids';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
import { cutText } from '@/lib/base/well-formed';
import type { RunToStore } from '@/lib/interop/run-of-spans';
import { eventFormat, readEventRecord, UnreadableRecord } from '@/lib/runtime/record/event-format';
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
 * Throws `UnreadableRecord` for a file that does not begin with the start of a run, and for a line that is not an event.
 */
export function readEventLog(text: string): { readonly key: string; readonly make: (runId: RunId) => RunToStore } {
  const [header = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const format = formatOf(parseJson(header));
  const events = lines.map((line) => readLine(format, line));
  const first = events[0];
  if (first?.kind !== 'run.started') throw new UnreadableRecord(noStart);
  const key = `events\n${first.runId}`;
  return {
    key,
    make: (runId) => ({
      source: 'callboard-import',
      correlationId: first.correlationId,
      events: [...whole(events, runId)],
    }),
  };
}

const noStart = 'The event log has no start of a run after its first line. Import the whole file, as it was exported.';

/** A newer format is a whole number too; what reads the events refuses it. */
function formatOf(header: Json | undefined): number {
  const format = isRecord(header) ? (header.format ?? eventFormat) : undefined;
  if (typeof format === 'number' && Number.isInteger(format) && format >= 1) return format;
  throw new UnreadableRecord('The first line of the event log names no format. Import the file as it was exported.');
}

function readLine(format: number, line: string): RunEvent {
  // The record is of Callboard's own database everywhere else, and so is always JSON.
  if (parseJson(line) === undefined) {
    const start = JSON.stringify(cutText(line, 60));
    throw new UnreadableRecord(`The line ${start} of the event log is not JSON. Import the file as it was exported.`);
  }
  return readEventRecord(format, line);
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
