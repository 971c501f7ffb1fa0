import { ByteCache } from '@/lib/base/byte-cache';
import type { RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/record/events';
import { emptyTrace, foldEvent } from '@/lib/trace/fold';
import type { Trace } from '@/lib/trace/trace';

/** Of all runs together. */
const mostBytes = 64 * 1024 * 1024;
const pageSize = 5_000;

/**
 * Runs folded lately, the one used longest ago first to go: a reload, a second viewer or a dropped stream reads only the events
 * that came since. A run that is larger than the cache is folded again for each reader.
 */
export class TraceCache {
  private readonly traces: ByteCache<RunId, Trace>;

  constructor(maxBytes = mostBytes) {
    this.traces = new ByteCache(maxBytes);
  }

  /** The run's events so far, folded. Two readers at once may fetch a page twice; the fold takes each event once. */
  async read(
    runId: RunId,
    readPage: (range: { readonly after: number; readonly limit: number }) => Promise<readonly RunEvent[]>,
  ): Promise<Trace> {
    const trace = this.traces.get(runId) ?? emptyTrace();
    // Who comes meanwhile goes on with the same one.
    this.traces.set(runId, trace, bytesOfTrace(trace));
    while (trace.run.status === undefined) {
      const page = await readPage({ after: trace.lastSeq, limit: pageSize });
      if (page.length === 0) break;
      for (const event of page) foldEvent(trace, event);
    }
    this.traces.set(runId, trace, bytesOfTrace(trace));
    return trace;
  }

  /** What the database keeps need not be kept here. */
  forget(runId: RunId): void {
    this.traces.delete(runId);
  }
}

/** Columns of a span, which grow by doubling. */
const bytesPerSpan = 150;
const bytesPerLane = 1_500;
const bytesPerEntry = 300;

/** About what a trace takes in memory: its texts, which sentences of errors and logs make long, and what there is for each entry. */
export function bytesOfTrace(trace: Trace): number {
  const { spans, lanes, strings, logs, notes, hookTotals, run } = trace;
  let chars = run.error?.message.length ?? 0;
  for (const text of strings) chars += text.length;
  for (const lane of lanes) chars += lane.path.length + (lane.error?.message.length ?? 0);
  for (const log of logs) chars += log.message.length;
  for (const { message } of run.failedStarts) chars += message.length;
  for (const key of hookTotals.keys()) chars += key.length;
  const entries = strings.length + logs.length + notes.length + hookTotals.size;
  return spans.length * bytesPerSpan + lanes.length * bytesPerLane + entries * bytesPerEntry + 2 * chars;
}

/** Next evaluates modules more than once; the cache is one per process. */
const holder: { callboardTraces?: TraceCache } = globalThis as never;

export function traceCache(): TraceCache {
  holder.callboardTraces ??= new TraceCache();
  return holder.callboardTraces;
}
