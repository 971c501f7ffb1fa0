import { AppError } from '@/lib/base/app-error';
import type { ProjectId, RunId } from '@/lib/base/ids';
import { type RunsOfFiles, runsOfFiles } from '@/lib/interop/files/runs-of-files';
import { readOtlpJson } from '@/lib/interop/otlp/read-otlp-json';
import { readOtlpProtobuf } from '@/lib/interop/otlp/read-otlp-protobuf';
import { NotOtlp, type ReceivedSpan } from '@/lib/interop/otlp/received-span';
import { importedRunId, runOfSpans } from '@/lib/interop/run-of-spans';
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
    return { traces: tracesOf(spans), rejected, problem };
  },
  /** Reads files that hold runs or spans. */
  files({ files, projectId, now }: FilesToImport): ReadImports {
    return refusing(() => {
      const found = runsOfFiles(new Map(files), now);
      const { ignored, notes } = found;
      return { runs: runsIn(found, projectId), traces: tracesOf(found.spans), ignored, notes };
    });
  },
  /** Makes the run of a trace from all its spans. */
  run({ runId, pages }: SpansOfRun): EncodedRun {
    const decoder = new TextDecoder();
    const spans = pages.flatMap((page): ReceivedSpan[] => JSON.parse(decoder.decode(page)));
    const run = runOfSpans(runId, spans);
    if (run === undefined) throw new Error('Bug: a trace without spans');
    return encodeRun(run);
  },
};

export type ImportJobs = typeof importJobs;
export type ImportJob = {
  [Name in keyof ImportJobs]: { readonly name: Name; readonly input: Parameters<ImportJobs[Name]>[0] };
}[keyof ImportJobs];

export function performImport(job: ImportJob): ReadOtlp | ReadImports | EncodedRun {
  switch (job.name) {
    case 'otlp':
      return importJobs.otlp(job.input);
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

/** A span that is sent twice in one request counts once: the last one. */
function tracesOf(spans: readonly ReceivedSpan[]): readonly EncodedTrace[] {
  const traces = new Map<string, Map<string, ReceivedSpan>>();
  for (const span of spans) {
    const trace = traces.get(span.traceId) ?? new Map<string, ReceivedSpan>();
    trace.set(span.spanId, span);
    traces.set(span.traceId, trace);
  }
  return [...traces].map(([traceId, trace]) => {
    const rows = [...trace.values()].map((span) => ({ spanId: span.spanId, body: JSON.stringify(span) }));
    return { traceId, spans: encodeSpans(rows) };
  });
}
