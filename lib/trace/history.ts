import type { Trace } from './trace';

/**
 * A row of an instance's history of calls and results. Rows are grouped by correlation id and instance, so that parallel
 * instances of one agent are separate:
 *
 *   NY-Project-Manager[2] · corr-7f                 group
 *     tool→   time__get_time {"zone":"…"}           call, at the event that started it
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
      const endSeq = spans.endSeq.at(span);
      if (endSeq !== 0) group.push({ kind: 'result', lane: index, span, seq: endSeq });
    }
    rows.push({ kind: 'group', lane: index, calls, decisions: lane.decisions.length }, ...group);
  }
  return rows;
}
