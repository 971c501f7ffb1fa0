import { hasOwnEnd } from '@/lib/trace/figures';
import { statusCodes } from '@/lib/trace/span';
import type { Trace } from '@/lib/trace/trace';

/**
 * The spans of a run as plain arrays, which a Web Worker can be given. Row i of each array is span i. Times are whole
 * microseconds since the run's origin. An open span ends at the moment at which the columns were made.
 */
export interface RunColumns {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly status: Uint8Array;
  readonly source: Uint8Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly lane: Uint32Array;
  readonly parent: Uint32Array;
  /** Indices into `strings`. */
  readonly name: Uint32Array;
  readonly detail: Uint32Array;
  /** For hooks, when they called the next one (after their start), and for how long. `NaN` if that is not recorded. */
  readonly belowAt: Float64Array;
  readonly belowFor: Float64Array;
  readonly flags: Uint8Array;
  /** 1 for a span that ended without an end in the log: a crash interrupted it, or its run ended first. */
  readonly lost: Uint8Array;
  readonly strings: readonly string[];
  readonly lanes: readonly LaneColumns[];
  /** The length of the run: the last event, or now while it runs. */
  readonly length: number;
  /** Of a part of a run: where it begins, and 1 for each span that is not in it. */
  readonly from?: number;
  readonly outside?: Uint8Array;
}

/** What the analysis needs of an instance. */
export interface LaneColumns {
  readonly agentName: string;
  readonly instanceName: string;
  readonly path: string;
  readonly parent: number | undefined;
  /** The parent's tool span that made the instance. */
  readonly parentSpan: number | undefined;
  readonly order: number;
  readonly queuedAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Copies what the analysis needs. `now` is the end of open spans, in microseconds since the origin. */
export function runColumns(trace: Trace, now: number): RunColumns {
  const { spans } = trace;
  const count = spans.length;
  const length = Math.round(Math.max(now, trace.lastAt));
  const end = spans.end.data.slice(0, count);
  const belowAt = new Float64Array(count).fill(Number.NaN);
  const belowFor = new Float64Array(count).fill(Number.NaN);
  for (const [span, below] of spans.below) {
    belowAt[span] = below.at;
    belowFor[span] = below.for;
  }
  const lost = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    if (end[i] !== Number.POSITIVE_INFINITY && !hasOwnEnd(spans, i)) lost[i] = 1;
    if (end[i] === Number.POSITIVE_INFINITY) end[i] = Math.max(length, spans.start.at(i));
  }
  return {
    count,
    kind: spans.kind.data.slice(0, count),
    status: spans.status.data.slice(0, count),
    source: spans.source.data.slice(0, count),
    start: spans.start.data.slice(0, count),
    end,
    lane: spans.lane.data.slice(0, count),
    parent: spans.parent.data.slice(0, count),
    name: spans.name.data.slice(0, count),
    detail: spans.detail.data.slice(0, count),
    belowAt,
    belowFor,
    flags: spans.flags.data.slice(0, count),
    lost,
    strings: [...trace.strings],
    lanes: trace.lanes.map(({ agentName, instanceName, path, parent, parentSpan, order, ...times }) => ({
      agentName,
      instanceName,
      path,
      parent,
      parentSpan,
      order,
      queuedAt: times.queuedAt,
      startedAt: times.startedAt,
      endedAt: times.endedAt,
    })),
    length,
  };
}

/** True for a span that failed or timed out. */
export function hasFailed(run: RunColumns, span: number): boolean {
  const status = run.status[span];
  return status === statusCodes.error || status === statusCodes.timeout;
}

export function nameOf(run: RunColumns, span: number): string {
  return run.strings[run.name[span] ?? 0] ?? '';
}

export function detailOf(run: RunColumns, span: number): string {
  return run.strings[run.detail[span] ?? 0] ?? '';
}
