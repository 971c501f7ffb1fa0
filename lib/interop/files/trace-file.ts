import { type Json, parseJson } from '@/lib/base/json';
import { otlpRequestsIn } from '@/lib/interop/otlp/other-envelopes';
import { readOtlpRequest } from '@/lib/interop/otlp/read-otlp-json';
import { readOtlpLogs } from '@/lib/interop/otlp/read-otlp-logs';
import type { ReceivedLog, ReceivedLogs } from '@/lib/interop/otlp/received-log';
import type { ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { isJaeger, readJaeger } from './jaeger';
import { isZipkin, readZipkin } from './zipkin';

/** What a file with spans holds. */
export interface TraceFile {
  readonly spans: readonly ReceivedSpan[];
  /** Log records that belong to traces. */
  readonly logs: readonly ReceivedLog[];
  /** Sentences about what was left out. */
  readonly notes: readonly string[];
}

/**
 * Reads spans in the envelopes in which people have them: requests of OTLP alone, in a list or as answers of Tempo; Jaeger; Zipkin.
 * Returns `undefined` for anything else. Throws `NotOtlp` for a damaged request.
 */
export function readTraceFile(path: string, value: Json): TraceFile | undefined {
  const requests = otlpRequestsIn(value);
  if (requests !== undefined) {
    const parts = requests.traces.map(readOtlpRequest);
    const logs = requests.logs.map(readOtlpLogs);
    const whole = joined(path, parts, leftOut(path, logs, requests.metrics));
    return { ...whole, logs: logs.flatMap((read) => read.logs) };
  }
  if (isJaeger(value)) return joined(path, [readJaeger(value)], []);
  return isZipkin(value) ? joined(path, [readZipkin(value)], []) : undefined;
}

/** Reads one value in each line, as the file exporter of the Collector writes requests of traces, logs and metrics. */
export function readTraceLines(path: string, text: string): TraceFile | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parseJson);
  const known = values.filter((value) => value !== undefined);
  // The last line may be cut, because the Collector was still writing.
  if (known.length === 0 || values.slice(0, -1).some((value) => value === undefined)) return undefined;
  const cut = values.at(-1) === undefined ? [`${path}: the last line is cut and was left out.`] : [];
  const whole = readTraceFile(path, known);
  return whole && { ...whole, notes: [...whole.notes, ...cut] };
}

type Read = ReturnType<typeof readOtlpRequest>;

function joined(path: string, parts: readonly Read[], notes: readonly string[]): TraceFile {
  const spans: ReceivedSpan[] = [];
  for (const part of parts) for (const span of part.spans) spans.push(span);
  const rejected = parts.reduce((sum, part) => sum + part.rejected, 0);
  const problem = parts.find((part) => part.problem !== undefined)?.problem;
  if (rejected === 0) return { spans, logs: [], notes };
  return {
    spans,
    logs: [],
    notes: [...notes, `${path}: ${count(rejected, 'span')} could not be read. ${problem ?? ''}`.trim()],
  };
}

/** Log records without a trace, and metrics, have no place in a run. */
function leftOut(path: string, logs: readonly ReceivedLogs[], metrics: number): readonly string[] {
  const without = logs.reduce((sum, { withoutTrace }) => sum + withoutTrace, 0);
  const rejected = logs.reduce((sum, read) => sum + read.rejected, 0);
  const problem = logs.find((read) => read.problem !== undefined)?.problem;
  return [
    ...(without === 0
      ? []
      : [`${path}: ${count(without, 'log record')} without a trace ${without === 1 ? 'was' : 'were'} left out.`]),
    ...(rejected === 0
      ? []
      : [
          `${path}: ${count(rejected, 'log record')} ${rejected === 1 ? 'was' : 'were'} left out. ${problem ?? ''}`.trim(),
        ]),
    ...(metrics === 0 ? [] : [`${path}: its metrics were left out.`]),
  ];
}

function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}
