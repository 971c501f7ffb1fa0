import { AppError } from '@/lib/base/app-error';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { importedRunId } from '@/lib/base/imported-run-id';
import type { GivenScore } from '@/lib/base/score';
import { sha256 } from '@/lib/base/sha256';
import { evaluationsIn } from '@/lib/interop/evaluations';
import { type RunsOfFiles, runsOfFiles } from '@/lib/interop/files/runs-of-files';
import { readOtlpJson } from '@/lib/interop/otlp/read-otlp-json';
import { readOtlpLogsJson, readOtlpLogsProtobuf } from '@/lib/interop/otlp/read-otlp-logs';
import { readOtlpProtobuf } from '@/lib/interop/otlp/read-otlp-protobuf';
import type { ReceivedLog } from '@/lib/interop/otlp/received-log';
import { NotOtlp, type ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { runOfSpans } from '@/lib/interop/run-of-spans';
import { spansWithLogs } from '@/lib/interop/spans-with-logs';
import { UnreadableRecord } from '@/lib/runtime/record/event-format';
import { type EncodedRows, type EncodedRun, encodeRun, encodeSpans } from '@/lib/store/imported-run-rows';

export type OtlpEncoding = 'protobuf' | 'json';

export interface OtlpBody {
  readonly encoding: OtlpEncoding;
  readonly bytes: Uint8Array;
}

/** The spans of one trace. */
export interface EncodedTrace {
  readonly traceId: string;
  readonly spans: readonly EncodedRows[];
}

export interface ReadOtlp {
  readonly traces: readonly EncodedTrace[];
  readonly rejected: number;
  readonly problem: string | undefined;
}

export interface FilesToImport {
  /** Paths with texts. */
  readonly files: readonly (readonly [path: string, text: string])[];
  readonly projectId: ProjectId;
  readonly now: number;
}

export interface ReadImports {
  readonly runs: readonly { readonly id: RunId; readonly run: EncodedRun }[];
  readonly traces: readonly EncodedTrace[];
  readonly ignored: readonly string[];
  /** Sentences about what was left out of files. */
  readonly notes: readonly string[];
}

export interface SpansOfRun {
  readonly runId: RunId;
  /** Lists of spans as JSON. */
  readonly pages: readonly Uint8Array[];
}

/**
 * The jobs that read traces of others: bytes and texts in, rows for the database out. Inputs and results are plain data, because they
 * are handed between threads. Errors that the sender can correct are AppError.
 */
export const importJobs = {
  /** Reads a request of an OpenTelemetry exporter. */
  otlp({ encoding, bytes }: OtlpBody): ReadOtlp {
    const { spans, rejected, problem } = refusing(() =>
      encoding === 'protobuf' ? readOtlpProtobuf(bytes) : readOtlpJson(new TextDecoder().decode(bytes)),
    );
    return { traces: tracesOf(spans, []), rejected, problem };
  },
  /** Reads a request of logs. Records without a trace have no place here and are left out. */
  logs({ encoding, bytes }: OtlpBody): ReadOtlp {
    const { logs, rejected, problem } = refusing(() =>
      encoding === 'protobuf' ? readOtlpLogsProtobuf(bytes) : readOtlpLogsJson(new TextDecoder().decode(bytes)),
    );
    return { traces: tracesOf([], logs), rejected, problem };
  },
  /** Reads files that hold runs or spans. */
  files({ files, projectId, now }: FilesToImport): ReadImports {
    return refusing(() => {
      const found = runsOfFiles(new Map(files), now);
      const { ignored, notes } = found;
      return { runs: runsIn(found, projectId), traces: tracesOf(found.spans, found.logs), ignored, notes };
    });
  },
  /** Makes the run of a trace from all its spans. */
  run({ runId, pages }: SpansOfRun): RunOfSpans {
    const decoder = new TextDecoder();
    const rows = pages.flatMap((page): StoredRow[] => JSON.parse(decoder.decode(page)));
    const spans = rows.flatMap((row) => ('log' in row ? [] : [row]));
    const logs = rows.flatMap((row) => ('log' in row ? [row.log] : []));
    const run = runOfSpans(runId, spansWithLogs(spans, logs));
    if (run === undefined) throw new Error('Bug: a trace without spans');
    return { run: encodeRun(run), evaluations: evaluationsIn(logs, run.events) };
  },
};

/** The run of a trace, and the scores that programs gave it. */
export interface RunOfSpans {
  readonly run: EncodedRun;
  readonly evaluations: readonly GivenScore[];
}

/** A stored row is a span, or a log record of its trace. */
type StoredRow = ReceivedSpan | { readonly log: ReceivedLog };

export type ImportJobs = typeof importJobs;
export type ImportJob = {
  [Name in keyof ImportJobs]: { readonly name: Name; readonly input: Parameters<ImportJobs[Name]>[0] };
}[keyof ImportJobs];

export function performImport(job: ImportJob): ReadOtlp | ReadImports | RunOfSpans {
  switch (job.name) {
    case 'otlp':
      return importJobs.otlp(job.input);
    case 'logs':
      return importJobs.logs(job.input);
    case 'files':
      return importJobs.files(job.input);
    case 'run':
      return importJobs.run(job.input);
  }
}

function runsIn({ runs }: RunsOfFiles, projectId: ProjectId): ReadImports['runs'] {
  return runs.map(({ key, make }) => {
    const id = importedRunId(projectId, key);
    const run = make(id);
    const odd = run.events.find(({ at }) => !isDate(at));
    if (odd !== undefined)
      throw new AppError('bad_request', `The time ${odd.at} in a file is no date. Correct it, and import again.`);
    return { id, run: encodeRun(run) };
  });
}

/** Dates from 1970 to the last that JavaScript knows, all of which Postgres can hold. */
function isDate(at: number): boolean {
  return at >= 0 && at <= 8.64e15;
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotOtlp || error instanceof UnreadableRecord) throw new AppError('bad_request', error.message);
    throw error;
  }
}

/**
 * Encodes the spans and log records of each trace as rows. A span that is sent twice in one request counts once: the last one. A record has
 * no id, so its row is named by its content, and a record that is sent again is the same row.
 */
function tracesOf(spans: readonly ReceivedSpan[], logs: readonly ReceivedLog[]): readonly EncodedTrace[] {
  const traces = new Map<string, Map<string, string>>();
  const put = (traceId: string, id: string, body: string) => {
    const trace = traces.get(traceId) ?? new Map<string, string>();
    trace.set(id, body);
    traces.set(traceId, trace);
  };
  for (const span of spans) put(span.traceId, span.spanId, JSON.stringify(span));
  for (const log of logs) {
    const body = JSON.stringify({ log });
    put(log.traceId, `log:${sha256(new TextEncoder().encode(body)).slice(0, 32)}`, body);
  }
  return [...traces].map(([traceId, rows]) => ({
    traceId,
    spans: encodeSpans([...rows].map(([spanId, body]) => ({ spanId, body }))),
  }));
}
