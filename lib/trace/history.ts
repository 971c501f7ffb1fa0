import { hooksAround } from './hook-story';
import { spanDetail, type Trace } from './trace';

/**
 * A row of an instance's history of calls and results. Rows are grouped by correlation id and instance, so that parallel
 * instances of one agent are separate:
 *
 *   NY-Project-Manager[2] · corr-7f                 group
 *     tool→   time__get_time {"zone":"…"}           call, at the event that started it
 *     hook→   x: 99 → 10 by hooks.ts:audit          hook, at its end: it changed something, did not call next, or failed
 *     result→ 14:02                                 result, at the event that ended it
 *     decision→ Chose billing                       decision, at its place among the calls
 *     The customer asks about an invoice.           reason, of a decision that was unfolded
 *     start→  files                                 call: something it waited for; its result says whether it is ready
 */
export type HistoryRow =
  | { readonly kind: 'group'; readonly lane: number; readonly calls: number; readonly decisions: number }
  | { readonly kind: 'decision'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'reason'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'call'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'hook'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'result'; readonly lane: number; readonly span: number; readonly seq: number };

/**
 * Returns the rows of the given lanes, in that order. Within a group calls are in call order, with each result under its
 * call, because parallel calls end in any order. An interrupted call has no result row. `folded` groups show only their
 * header. Instances that called nothing have a header too, so that each can be found. `reasons` are the decisions whose reason
 * is shown below them.
 */
export function historyRows(
  trace: Trace,
  lanes: Iterable<number>,
  folded: ReadonlySet<number>,
  reasons: ReadonlySet<number> = new Set(),
): readonly HistoryRow[] {
  const rows: HistoryRow[] = [];
  const { spans } = trace;
  for (const index of lanes) {
    const lane = trace.lanes[index];
    if (lane === undefined) continue;
    const group: HistoryRow[] = [];
    let calls = 0;
    const wrapped = folded.has(index) ? new Set<number>() : wrappedCalls(trace, index);
    for (let i = 0; i < lane.spans.length; i++) {
      const span = lane.spans.ids.at(i);
      const kind = spans.kindOf(span);
      if (kind === 'decision' && !folded.has(index)) {
        const row = { lane: index, span, seq: spans.startSeq.at(span) };
        group.push({ kind: 'decision', ...row });
        if (reasons.has(span)) group.push({ kind: 'reason', ...row });
      }
      if (kind !== 'tool' && kind !== 'setup') continue;
      if (kind === 'tool') calls++;
      if (folded.has(index)) continue;
      group.push({ kind: 'call', lane: index, span, seq: spans.startSeq.at(span) });
      if (wrapped.has(span)) group.push(...hookRows(trace, index, span));
      const endSeq = spans.endSeq.at(span);
      if (endSeq !== 0) group.push({ kind: 'result', lane: index, span, seq: endSeq });
    }
    rows.push({ kind: 'group', lane: index, calls, decisions: lane.decisions.length }, ...group);
  }
  return rows;
}

/** Returns the calls of a lane that a hook wraps which did something. Most calls have none, and are not searched for hooks. */
function wrappedCalls(trace: Trace, index: number): ReadonlySet<number> {
  const { spans } = trace;
  const ids = trace.lanes[index]?.spans.ids;
  const calls = new Set<number>();
  for (let i = 0; ids !== undefined && i < ids.length; i++) {
    const span = ids.at(i);
    if (spans.kindOf(span) === 'hook' && didSomething(trace, span)) calls.add(spans.parent.at(span));
  }
  return calls;
}

function hookRows(trace: Trace, lane: number, call: number): readonly HistoryRow[] {
  return hooksAround(trace, call)
    .filter((span) => didSomething(trace, span))
    .map((span) => ({ kind: 'hook', lane, span, seq: trace.spans.endSeq.at(span) }));
}

function didSomething(trace: Trace, span: number): boolean {
  const { spans } = trace;
  if (spans.endSeq.at(span) === 0 || spanDetail(trace, span) !== 'around') return false;
  return spans.has(span, 'changed') || spans.has(span, 'stopped') || spans.statusOf(span) === 'error';
}
