import { LRUCache } from 'lru-cache';
import type { RunId } from '@/lib/base/ids';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';
import type { SlimEvent } from '@/lib/trace/slim-event';
import type { Trace } from '@/lib/trace/trace';

/** The limit for all runs together. */
const mostBytes = 64 * 1024 * 1024;
const pageSize = 5_000;

/**
 * Keeps traces of runs between requests. After a reload, for a second viewer or after a dropped stream, only the events since
 * the last request are read. The least recently used trace is dropped first. A trace larger than the cache is not kept.
 */
export class TraceCache {
  private readonly traces: LRUCache<RunId, Trace>;

  constructor(maxBytes = mostBytes) {
    this.traces = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOfTrace });
  }

  /**
   * Returns the folded events of the run so far. Two readers at once may fetch a page twice, but the fold takes each event
   * once.
   */
  async read(
    runId: RunId,
    readPage: (range: { readonly after: number; readonly limit: number }) => Promise<readonly SlimEvent[]>,
  ): Promise<Trace> {
    const trace = this.traces.get(runId) ?? emptyTrace();
    // The trace is kept before the first await, so that a reader that starts meanwhile continues with the same trace.
    this.keep(runId, trace);
    while (trace.run.status === undefined) {
      const page = await readPage({ after: trace.lastSeq, limit: pageSize });
      if (page.length === 0) break;
      for (const event of page) foldEvent(trace, event);
    }
    this.keep(runId, trace);
    return trace;
  }

  /**
   * Keeps a trace. It is removed first, because traces grow and the cache does not measure a value again that it already
   * holds.
   */
  private keep(runId: RunId, trace: Trace): void {
    this.traces.delete(runId);
    this.traces.set(runId, trace);
  }

  /** Drops a trace, because the database now has it. */
  forget(runId: RunId): void {
    this.traces.delete(runId);
  }
}

/** The columns of a span take about this much, because they grow by doubling. */
const bytesPerSpan = 150;
const bytesPerLane = 1_500;
const bytesPerEntry = 300;
const bytesPerTrace = 1_000;

/** Estimates the memory of a trace in bytes: its texts (mostly messages of errors and logs), and a fixed size per entry. */
export function bytesOfTrace(trace: Trace): number {
  const { spans, lanes, strings, logs, notes, hookTotals, run } = trace;
  let chars = run.error?.message.length ?? 0;
  for (const text of strings) chars += text.length;
  for (const lane of lanes) chars += lane.path.length + (lane.error?.message.length ?? 0);
  for (const log of logs) chars += log.message.length;
  for (const { message } of run.failedStarts) chars += message.length;
  for (const key of hookTotals.keys()) chars += key.length;
  const entries = strings.length + logs.length + notes.length + hookTotals.size;
  return (
    bytesPerTrace + spans.length * bytesPerSpan + lanes.length * bytesPerLane + entries * bytesPerEntry + 2 * chars
  );
}

/** The cache is kept on `globalThis`, because Next evaluates modules more than once, and there must be one per process. */
const holder: { callboardTraces?: TraceCache; callboardBareTraces?: TraceCache } = globalThis as never;

export function traceCache(): TraceCache {
  holder.callboardTraces ??= new TraceCache();
  return holder.callboardTraces;
}

/** Traces for links that show no texts. Those of ended runs stay here, because the database has none of them. */
export function bareTraceCache(): TraceCache {
  holder.callboardBareTraces ??= new TraceCache(mostBytes / 4);
  return holder.callboardBareTraces;
}
