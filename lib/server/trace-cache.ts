import type { RunId } from '@/lib/base/ids';
import type { RunEvent } from '@/lib/runtime/events';
import { emptyTrace, foldEvent } from '@/lib/trace/fold';
import type { Trace } from '@/lib/trace/trace';

/** Spans kept in memory over all runs; about 150 bytes each. */
const mostSpans = 500_000;
const pageSize = 5_000;

/**
 * Runs folded lately, the one used longest ago first: a reload, a second viewer or a dropped stream reads only the events
 * that came since.
 */
export class TraceCache {
  private readonly traces = new Map<RunId, Trace>();

  constructor(private readonly limit = mostSpans) {}

  /** The run's events so far, folded. Two readers at once may fetch a page twice; the fold takes each event once. */
  async read(
    runId: RunId,
    readPage: (range: { readonly after: number; readonly limit: number }) => Promise<readonly RunEvent[]>,
  ): Promise<Trace> {
    const trace = this.traces.get(runId) ?? emptyTrace();
    this.traces.delete(runId);
    this.traces.set(runId, trace);
    while (trace.run.status === undefined) {
      const page = await readPage({ after: trace.lastSeq, limit: pageSize });
      if (page.length === 0) break;
      for (const event of page) foldEvent(trace, event);
    }
    this.forgetOldest(runId);
    return trace;
  }

  /** What the database keeps need not be kept here. */
  forget(runId: RunId): void {
    this.traces.delete(runId);
  }

  private forgetOldest(keep: RunId): void {
    let spans = 0;
    for (const trace of this.traces.values()) spans += trace.spans.length;
    for (const [id, trace] of this.traces) {
      if (spans <= this.limit) return;
      if (id === keep) continue;
      spans -= trace.spans.length;
      this.traces.delete(id);
    }
  }
}

/** Next evaluates modules more than once; the cache is one per process. */
const holder: { callboardTraces?: TraceCache } = globalThis as never;

export function traceCache(): TraceCache {
  holder.callboardTraces ??= new TraceCache();
  return holder.callboardTraces;
}
