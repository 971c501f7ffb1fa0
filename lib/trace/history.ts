import { hooksAround } from './hooks-around';
import { kindCodes, statusCodes } from './span';
import { type Lane, spanDetail, type Trace } from './trace';

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
 *     asked→  Call tool 'mail__send' with …         asked, of a call that waits for a person, below it
 *     answered→ approved by Ann after 3 m           answered, at the event that ended the question
 *     start→  files                                 call: something it waited for; its result says whether it is ready
 *     says→   The weather in                        said: a model call that goes on; its text comes from elsewhere
 */
export type HistoryRow =
  | { readonly kind: 'group'; readonly lane: number; readonly calls: number; readonly decisions: number }
  | { readonly kind: 'decision'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'reason'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'call'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'hook'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'result'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'asked'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'answered'; readonly lane: number; readonly span: number; readonly seq: number }
  | { readonly kind: 'said'; readonly lane: number; readonly span: number; readonly seq: number };

/**
 * Returns the rows of the given lanes, in that order. Within a group calls are in call order, with each result under its
 * call, because parallel calls end in any order. An interrupted call has no result row. `folded` groups show only their
 * header. Instances that called nothing have a header too, so that each can be found. `reasons` are the decisions whose reason
 * is shown below them, and `saying` the model calls of which a row shows what they say now.
 */
export function historyRows(
  trace: Trace,
  lanes: Iterable<number>,
  folded: ReadonlySet<number>,
  reasons: ReadonlySet<number> = new Set(),
  saying: readonly number[] = [],
): readonly HistoryRow[] {
  const rows: HistoryRow[] = [];
  const { spans } = trace;
  for (const index of lanes) {
    const lane = trace.lanes[index];
    if (lane === undefined) continue;
    const group: HistoryRow[] = [];
    let calls = 0;
    const asked = folded.has(index) ? new Map<number, number[]>() : askedByCalls(trace, lane);
    const wrapped = folded.has(index) ? new Set<number>() : wrappedCalls(trace, index);
    for (let i = 0; i < lane.spans.length; i++) {
      const span = lane.spans.ids.at(i);
      const kind = spans.kindOf(span);
      if (kind === 'decision' && !folded.has(index)) {
        const row = { lane: index, span, seq: spans.startSeq.at(span) };
        group.push({ kind: 'decision', ...row });
        if (reasons.has(span)) group.push({ kind: 'reason', ...row });
      }
      if (kind === 'waiting' && !folded.has(index) && callOf(trace, span) === undefined)
        group.push(...askedRows(trace, span));
      if (kind !== 'tool' && kind !== 'setup') continue;
      if (kind === 'tool') calls++;
      if (folded.has(index)) continue;
      group.push({ kind: 'call', lane: index, span, seq: spans.startSeq.at(span) });
      for (const question of asked.get(span) ?? []) group.push(...askedRows(trace, question));
      if (wrapped.has(span)) group.push(...hookRows(trace, index, span));
      const endSeq = spans.endSeq.at(span);
      if (endSeq !== 0) group.push({ kind: 'result', lane: index, span, seq: endSeq });
    }
    if (!folded.has(index)) group.push(...saidRows(trace, index, saying));
    rows.push({ kind: 'group', lane: index, calls, decisions: lane.decisions.length }, ...group);
  }
  return rows;
}

/** The rows of a history, of which only those in view are made. */
export interface HistoryIndex {
  /** The number of all rows. */
  readonly count: number;
  /** The places of the reasons, which are higher than other rows, ascending. */
  readonly reasons: readonly number[];
  /** Returns the rows from `from` up to, but without, `to`. */
  readonly rows: (from: number, to: number) => readonly HistoryRow[];
  /**
   * Returns the last row that tells of an event or of what came before it in its instance; `undefined` if the instance is not there.
   * `seq` is the number of the event, and `span` the span that it began or ended.
   */
  readonly rowOf: (span: number, seq: number) => number | undefined;
}

/**
 * Counts the rows that `historyRows` returns for the same arguments, in one pass over plain columns, and makes only those asked
 * for. A page counts again with each change of a run, and has room for some fifty rows.
 */
export function indexHistory(
  trace: Trace,
  lanes: readonly number[],
  folded: ReadonlySet<number>,
  reasons: ReadonlySet<number>,
  saying: readonly number[] = [],
): HistoryIndex {
  const known = lanes.filter((index) => trace.lanes[index] !== undefined);
  const unfolded = new Set([...reasons].map((span) => trace.spans.lane.at(span)));
  const rowsOf = (index: number) => historyRows(trace, [index], folded, reasons, saying);
  /** The place of each group; the last number is that after all rows. */
  const starts = new Uint32Array(known.length + 1);
  const tall: number[] = [];
  for (const [place, index] of known.entries()) {
    const lane = trace.lanes[index];
    const start = starts[place] ?? 0;
    let count = 1;
    if (unfolded.has(index)) {
      const rows = rowsOf(index);
      count = rows.length;
      for (const [i, { kind }] of rows.entries()) if (kind === 'reason') tall.push(start + i);
    } else if (lane !== undefined && !folded.has(index))
      count += countRows(trace, lane) + saidRows(trace, index, saying).length;
    starts[place + 1] = start + count;
  }
  const made = new Map<number, readonly HistoryRow[]>();
  const groupAt = (place: number) => {
    const rows = made.get(place) ?? rowsOf(known[place] ?? 0);
    made.set(place, rows);
    return rows;
  };
  const places = new Map(known.map((index, place) => [index, place] as const));
  return {
    count: starts[known.length] ?? 0,
    reasons: tall,
    rowOf(span, seq) {
      const place = places.get(trace.spans.lane.at(span));
      if (place === undefined) return undefined;
      const rows = groupAt(place);
      const own = rows.findLastIndex((row) => row.kind !== 'group' && row.span === span && row.seq <= seq);
      const told = own >= 0 ? own : rows.findLastIndex((row) => row.kind !== 'group' && row.seq <= seq);
      return (starts[place] ?? 0) + Math.max(told, 0);
    },
    rows(from, to) {
      const rows: HistoryRow[] = [];
      for (let place = lastAtOrBelow(starts, from); place < known.length; place++) {
        const start = starts[place] ?? 0;
        if (start >= to) break;
        rows.push(...groupAt(place).slice(Math.max(from - start, 0), to - start));
      }
      return rows;
    },
  };
}

/** Returns the number of rows below the header of a lane without unfolded reasons. */
function countRows(trace: Trace, lane: Lane): number {
  const { spans } = trace;
  const ids = lane.spans.ids.data;
  const kinds = spans.kind.data;
  const wrapped = new Set<number>();
  let count = 0;
  for (let i = 0; i < lane.spans.length; i++) {
    const span = ids[i] ?? 0;
    const kind = kinds[span];
    if (kind === kindCodes.decision) count++;
    else if (kind === kindCodes.tool || kind === kindCodes.setup || kind === kindCodes.waiting)
      count += spans.endSeq.at(span) === 0 ? 1 : 2;
    else if (kind === kindCodes.hook && didSomething(trace, span)) wrapped.add(spans.parent.at(span));
  }
  for (const call of wrapped) {
    if (spans.lane.at(call) === lane.index) count += hookRows(trace, lane.index, call).length;
  }
  return count;
}

/** Returns the place of the last start at or below a row. Starts ascend. */
function lastAtOrBelow(starts: Uint32Array, row: number): number {
  let low = 0;
  let high = Math.max(starts.length - 2, 0);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

function saidRows(trace: Trace, lane: number, saying: readonly number[]): readonly HistoryRow[] {
  return saying
    .filter((span) => trace.spans.lane.at(span) === lane)
    .map((span) => ({ kind: 'said', lane, span, seq: trace.spans.startSeq.at(span) }));
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

/** Returns the questions of the calls of a lane. Most lanes have none. */
function askedByCalls(trace: Trace, lane: Lane): ReadonlyMap<number, readonly number[]> {
  const asked = new Map<number, number[]>();
  if (trace.questions.length === 0) return asked;
  for (let i = 0; i < lane.spans.length; i++) {
    const span = lane.spans.ids.at(i);
    const call = trace.spans.kind.at(span) === kindCodes.waiting ? callOf(trace, span) : undefined;
    if (call !== undefined) asked.set(call, [...(asked.get(call) ?? []), span]);
  }
  return asked;
}

/** Returns the call that asked a question; `undefined` if something else of the instance did. */
function callOf({ spans }: Trace, question: number): number | undefined {
  const call = spans.parent.at(question);
  return spans.kind.at(call) === kindCodes.tool && spans.lane.at(call) === spans.lane.at(question) ? call : undefined;
}

function askedRows({ spans }: Trace, span: number): readonly HistoryRow[] {
  const lane = spans.lane.at(span);
  const endSeq = spans.endSeq.at(span);
  const asked: HistoryRow = { kind: 'asked', lane, span, seq: spans.startSeq.at(span) };
  return endSeq === 0 ? [asked] : [asked, { kind: 'answered', lane, span, seq: endSeq }];
}

function hookRows(trace: Trace, lane: number, call: number): readonly HistoryRow[] {
  return hooksAround(trace, call)
    .filter((span) => didSomething(trace, span))
    .map((span) => ({ kind: 'hook', lane, span, seq: trace.spans.endSeq.at(span) }));
}

function didSomething(trace: Trace, span: number): boolean {
  const { spans } = trace;
  const failed = spans.status.at(span) === statusCodes.error;
  if (!failed && !spans.has(span, 'changed') && !spans.has(span, 'stopped')) return false;
  return spans.endSeq.at(span) !== 0 && spanDetail(trace, span) === 'around';
}
