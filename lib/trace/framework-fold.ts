/**
 * Folds the log of an imported run together with the spans of the framework that the import folded into their calls and agents.
 * Each becomes a span of kind `framework` in the lane of the step that took it in, and counts in no figure. The log lists them
 * with that step, and here they are opened and closed in the order of time, as all spans are:
 *
 *   agent          ─────────────────────    its event lists Turn and RunnableSequence
 *     framework       ├──────────────┤      Turn
 *     framework       ├────────┤            RunnableSequence
 *     model             ├────┤
 */
import { EarliestFirst } from '@/lib/base/earliest-first';
import type { RunEvent } from '@/lib/runtime/record/events';
import { foldEvent } from './fold';
import { closeSpan, openSpan, takeSlot } from './fold-spans';
import { type FoldedSpan, foldedSpansOf } from './folded-spans';
import { slimEvent } from './slim-event';
import type { Lane, Trace } from './trace';

/** A folded span that has not begun. Times are microseconds since the origin. */
interface Coming extends Pick<FoldedSpan, 'id' | 'name' | 'status'> {
  readonly start: number;
  readonly end: number;
  readonly lane: Lane;
  /** The span of the step that took it in, and the event that opened that step. */
  readonly host: number;
  readonly seq: number;
}

interface Open extends Pick<FoldedSpan, 'status'> {
  readonly span: number;
  readonly end: number;
}

/** Orders by the later end. Two that have no end are equal. */
function later(a: number, b: number): number {
  return a === b ? 0 : b - a;
}

export class FrameworkFold {
  /** Of those that begin together, the longest wraps the others. */
  private readonly coming = new EarliestFirst<Coming>((a, b) => a.start - b.start || later(a.end, b.end));
  private readonly open = new EarliestFirst<Open>((a, b) => later(b.end, a.end) || b.span - a.span);

  constructor(private readonly trace: Trace) {}

  /** Folds one event, after the folded spans that began or ended before it. */
  take(event: RunEvent): void {
    const { trace } = this;
    if (event.seq <= trace.lastSeq) return;
    this.advance(this.timeOf(event.at));
    foldEvent(trace, slimEvent(event));
    if (event.kind === 'run.finished') this.finish();
    else this.note(event);
  }

  private timeOf(at: number): number {
    return Math.max(0, Math.round((at - (this.trace.origin ?? at)) * 1000));
  }

  /**
   * Notes the spans that were folded into the step of an event. What began before that step is drawn from its start, because spans are
   * numbered in order of start.
   */
  private note(event: RunEvent): void {
    const folded = foldedSpansOf(event.imported);
    const { spans, lanes, laneByPath } = this.trace;
    if (folded.length === 0 || !('path' in event) || event.path === undefined) return;
    const lane = lanes[laneByPath.get(event.path) ?? -1];
    if (lane === undefined) return;
    const last = spans.length - 1;
    const host = spans.startSeq.at(last) === event.seq ? last : lane.span;
    const from = this.timeOf(event.at);
    for (const { id, name, start: recorded, ms, status } of folded) {
      const start = Math.max(from, this.timeOf(recorded));
      const end = ms === undefined ? Number.POSITIVE_INFINITY : Math.max(start, this.timeOf(recorded + ms));
      this.coming.add({ id, name, status, start, end, lane, host, seq: event.seq });
    }
  }

  /** Opens and closes what began and ended up to a moment. */
  private advance(to: number): void {
    for (;;) {
      const start = this.coming.first?.start ?? Number.POSITIVE_INFINITY;
      const end = this.open.first?.end ?? Number.POSITIVE_INFINITY;
      if (Math.min(start, end) > to || (start === Number.POSITIVE_INFINITY && end === start)) return;
      if (end <= start) this.closeNext(end);
      else this.openNext();
    }
  }

  private openNext(latest = Number.POSITIVE_INFINITY): void {
    const next = this.coming.take();
    if (next === undefined) return;
    const { trace } = this;
    const { lane, host, name, start, id, seq, end, status } = next;
    const slot = takeSlot(trace, lane, 'framework', 'none');
    const place = { start: Math.min(start, latest), seq, parent: host, slot, attempt: 1 };
    const span = openSpan(trace, lane, { kind: 'framework', name, source: 'none', detail: id, ...place });
    this.open.add({ span, end, status });
  }

  private closeNext(end: number): void {
    const next = this.open.take();
    // Without an event of its own it counts in no figure, also if it failed: what it took in says why.
    if (next !== undefined) closeSpan(this.trace, next.span, end, next.status, 0);
  }

  /** A run has nothing after its end. */
  private finish(): void {
    const { trace, coming, open } = this;
    while (coming.first !== undefined) this.openNext(trace.lastAt);
    for (let next = open.first; next !== undefined; next = open.first) this.closeNext(Math.min(next.end, trace.lastAt));
  }
}
