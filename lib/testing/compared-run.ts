import type { RunEvent } from '@/lib/runtime/record/events';
import type { ComparedRun } from '@/lib/trace/compare/compare-runs';
import { joinDigests, RunDigests } from '@/lib/trace/compare/run-digests';
import { emptyTrace } from '@/lib/trace/empty-trace';
import { foldEvent } from '@/lib/trace/fold';

/** Returns the events of a run as the comparison of runs takes them. */
export function runOf(events: Iterable<RunEvent>): ComparedRun {
  const trace = emptyTrace();
  const digests = new RunDigests();
  for (const event of events) {
    foldEvent(trace, event);
    digests.add(event);
  }
  return { trace, digests: joinDigests(new Uint32Array(), digests.bytesAfter(0)) };
}

/** Returns the run with another digest of the event that ends a span. */
export function withOtherEnd(run: ComparedRun, span: number): ComparedRun {
  const seq = run.trace.spans.endSeq.at(span);
  return { ...run, digests: run.digests?.map((digest, place) => (place === seq - 1 ? digest + 1 : digest)) };
}
