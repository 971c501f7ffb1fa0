import type { CorrelationId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { encodeTrace } from '@/lib/trace/columns';
import { usageByModel } from '@/lib/trace/cost';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import { RunTexts, summariseRun } from '@/lib/trace/run-summary';
import { toJsonText, toPlainJson, toPlainText } from './json-text';
import { type StoredSummary, toStoredSummary } from './run-summaries';
import { marksText } from './runs';

/** What of an imported run is known once its events are. */
export interface ImportedRun {
  readonly source: string;
  readonly correlationId: CorrelationId;
  readonly events: readonly RunEvent[];
}

/** A stored span: its id, and the span as JSON text. */
export interface SpanRow {
  readonly spanId: string;
  readonly body: string;
}

/** Some rows as a JSON list, for `json_to_recordset`. */
export interface EncodedRows {
  readonly count: number;
  readonly json: Uint8Array<ArrayBuffer>;
}

/** A run in the form of the database: plain data with few and large parts, which is cheap to hand to another thread. */
export interface EncodedRun {
  readonly source: string;
  readonly correlationId: string;
  readonly status: string;
  readonly entryAgent: string;
  readonly message: string;
  readonly answer: string | null;
  readonly error: string | null;
  readonly usage: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly lastSeq: number;
  readonly events: readonly EncodedRows[];
  readonly eventBytes: number;
  readonly summary: StoredSummary;
  readonly trace: Uint8Array<ArrayBuffer>;
  readonly modelUsage: string;
  readonly marks: string | null;
}

/** Makes all that is stored of an imported run. Its events are all known, from `run.started` to `run.finished`. */
export function encodeRun({ events, source, correlationId }: ImportedRun): EncodedRun {
  const first = events[0];
  const last = events.at(-1);
  if (first?.kind !== 'run.started' || last?.kind !== 'run.finished')
    throw new Error('Bug: an imported log is not whole');
  const trace = emptyTrace();
  const texts = new RunTexts();
  let eventBytes = 0;
  const rows = encodeRows(events, (event) => {
    foldEvent(trace, event);
    texts.add(event);
    const body = JSON.stringify(event);
    eventBytes += Buffer.byteLength(body);
    return eventRow(event, body);
  });
  return {
    source,
    correlationId: toPlainText(correlationId),
    status: last.status,
    entryAgent: toPlainText(first.entryAgent),
    message: toJsonText(first.message),
    answer: last.answer === undefined ? null : toJsonText(last.answer),
    error: last.error === undefined ? null : JSON.stringify(last.error),
    usage: toPlainJson(last.usage),
    startedAt: first.at,
    finishedAt: last.at,
    lastSeq: last.seq,
    events: rows,
    eventBytes,
    summary: toStoredSummary(summariseRun(trace), texts),
    trace: encodeTrace(trace),
    modelUsage: toPlainJson(usageByModel(trace)),
    marks: marksText(first.marks),
  };
}

export function encodeSpans(spans: readonly SpanRow[]): readonly EncodedRows[] {
  return encodeRows(spans, ({ spanId, body }) => ({ spanId, body }));
}

function eventRow(event: RunEvent, body: string): object {
  return {
    ...{ seq: event.seq, at: event.at, kind: event.kind, body },
    ...('path' in event && event.path !== undefined && { path: toPlainText(event.path) }),
    ...('step' in event && event.step !== undefined && { step: toPlainText(event.step) }),
  };
}

/** One statement takes so many. Between two of them other requests are answered. */
const mostRows = 2_000;
const mostUnits = 4 * 1024 * 1024;

function encodeRows<T>(things: readonly T[], rowOf: (thing: T) => object): readonly EncodedRows[] {
  const encoded: EncodedRows[] = [];
  let rows: string[] = [];
  let units = 0;
  const end = () => {
    if (rows.length > 0) encoded.push({ count: rows.length, json: new TextEncoder().encode(`[${rows.join(',')}]`) });
    rows = [];
    units = 0;
  };
  for (const thing of things) {
    const row = JSON.stringify(rowOf(thing));
    if (rows.length === mostRows || units + row.length > mostUnits) end();
    rows.push(row);
    units += row.length;
  }
  end();
  return encoded;
}
