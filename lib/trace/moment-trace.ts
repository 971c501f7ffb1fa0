/**
 * A run as it was at a moment, made from the trace of the whole run without folding its events again. The result is a trace
 * like any other, so whatever shows a run shows it at a moment, and cannot show what came later.
 *
 *   spans of the run   0 ▓▓▓▓▓│        at the moment: ended, as it is
 *                      1   ▓▓▓│▓▓▓▓▓                  open, without result, tokens and marks
 *                      2      │  ▓▓▓                  not there
 *                          moment
 *
 * Spans are numbered in order of start, so those that had begun are the first ones. Their columns that cannot change after
 * the start are shared with the run; the others are copied. One pass over the spans that had begun is enough, because an
 * ended instance has its totals already.
 */

import { addUsage, noUsage, type Usage } from '@/lib/runtime/record/messages';
import { emptyTrace } from './empty-trace';
import { callsOfFailedChildren, refusedState } from './failures';
import { FreeSlots } from './free-slots';
import { LaneSpans } from './lane-spans';
import { MomentSums } from './moment-sums';
import { kindCodes, statusCodes } from './span';
import type { SpanTable } from './span-table';
import type { Lane, RunNote, Trace } from './trace';

const sharedColumns = ['source', 'start', 'lane', 'parent', 'name', 'detail', 'startSeq', 'slot', 'attempt'] as const;
const copiedColumns = [
  'kind',
  'status',
  'end',
  'endSeq',
  'flags',
  'inputTokens',
  'outputTokens',
  'cachedTokens',
  'reasoningTokens',
  'firstToken',
] as const;

/** Shows one run at any moment. `trace` is always the same object and changes in place, as that of a live run does. */
export class MomentTrace {
  readonly trace: Trace;
  /** A lane of the moment for each lane of the run, made when it is first needed. */
  private readonly lanes: Lane[] = [];
  private readonly sums = new MomentSums();

  constructor(private readonly whole: Trace) {
    this.trace = { ...emptyTrace(), strings: whole.strings, stringIds: whole.stringIds };
  }

  /**
   * Moves to a moment, in microseconds since the origin: what events up to and with that time have told. The whole run may
   * have grown since the last call.
   */
  seek(moment: number): void {
    const { whole, trace } = this;
    trace.origin = whole.origin;
    const count = firstAfter(whole.spans, moment);
    this.cutSpans(count, moment);
    this.cutLanes(count, moment);
    shareFirst(trace.logs, whole.logs, moment);
    shareFirst(trace.notes, whole.notes, moment);
    keepBelow(trace.questions, whole.questions, count);
    this.cutRun(moment);
    trace.version++;
  }

  /** Reopens spans that had not ended, and adds up by lane what the others tell, in one pass over plain arrays. */
  private cutSpans(count: number, moment: number): void {
    const { spans } = this.trace;
    const { spans: whole, lanes } = this.whole;
    for (const name of sharedColumns) share(spans[name], whole[name], count);
    for (const name of copiedColumns) copy(spans[name], whole[name], count);
    const { sums } = this;
    sums.clear(lanes.length);
    const explained = callsOfFailedChildren(this.whole);
    spans.below.clear();
    const end = whole.end.data;
    const status = whole.status.data;
    const laneOf = whole.lane.data;
    for (const [span, below] of whole.below) {
      if (span < count && (end[span] ?? 0) <= moment) spans.below.set(span, below);
    }
    for (let span = 0; span < count; span++) {
      const lane = laneOf[span] ?? 0;
      sums.addSlot(whole, span, lane);
      if ((end[span] ?? 0) > moment || (status[span] === statusCodes.interrupted && this.wasNotYetLost(span, moment))) {
        reopen(spans, span);
      } else sums.addEnded(whole, span, lane, explained);
    }
  }

  /** A step that a crash cut short ended at the last event before it, which was only known when the run went on. */
  private wasNotYetLost(span: number, moment: number): boolean {
    const { spans, run } = this.whole;
    const end = spans.end.at(span);
    return (run.resumed.find((at) => at >= end) ?? end) > moment;
  }

  private cutLanes(count: number, moment: number): void {
    const { trace, whole, sums } = this;
    const before = trace.lanes.length;
    const cut = { trace, whole, sums, count, moment };
    let changed = false;
    let shown = 0;
    for (; shown < whole.lanes.length; shown++) {
      const from = whole.lanes[shown];
      if (from === undefined || from.spans.length === 0 || from.spans.ids.at(0) >= count) break;
      this.lanes[shown] ??= {
        ...from,
        children: [],
        decisions: [],
        spans: new LaneSpans(),
        busySlots: new FreeSlots(),
      };
      const lane = this.lanes[shown];
      if (lane === undefined) break;
      if (cutLane(lane, from, cut)) changed = true;
      if (shown < before) continue;
      trace.lanes[shown] = lane;
      trace.laneByPath.set(lane.path, shown);
    }
    for (let gone = shown; gone < before; gone++) trace.laneByPath.delete(trace.lanes[gone]?.path ?? '');
    trace.lanes.length = shown;
    if (!changed && shown === before) return;
    trace.laneVersion++;
    if (shown === before) return;
    keepBelow(trace.roots, whole.roots, shown);
    for (let i = 0; i < shown; i++) keepBelow(trace.lanes[i]?.children ?? [], whole.lanes[i]?.children ?? [], shown);
  }

  private cutRun(moment: number): void {
    const { whole, trace } = this;
    const { run } = whole;
    const isOver = run.status !== undefined && moment >= whole.lastAt;
    const resumed = run.resumed.filter((at) => at <= moment);
    const suspended = run.suspended
      .filter(({ at }) => at <= moment)
      .map(({ at, until = Number.POSITIVE_INFINITY }) => (until <= moment ? { at, until } : { at }));
    const failedStarts = run.startChanges.findLast(({ at }) => at <= moment)?.failed ?? [];
    Object.assign(trace.run, run, { resumed, suspended, failedStarts });
    trace.lastAt = Math.min(moment, whole.lastAt);
    trace.lastSeq = isOver ? whole.lastSeq : Math.max(1, latestSeq(trace, this.sums.latestSeq));
    if (isOver) return;
    trace.run.status = undefined;
    trace.run.error = undefined;
    trace.run.usage = this.sums.usageOf(whole.lanes.length);
  }
}

/** Returns the number of spans that had begun. After a clock was set back, a span shows once all spans before it do. */
function firstAfter({ start: { data }, length }: SpanTable, moment: number): number {
  for (let span = 0; span < length; span++) if ((data[span] ?? 0) > moment) return span;
  return length;
}

/** Makes a span what it was before it ended. Its flags are only known at its end. */
function reopen(spans: SpanTable, span: number): void {
  spans.status.data[span] = 0;
  spans.end.data[span] = Number.POSITIVE_INFINITY;
  spans.endSeq.data[span] = 0;
  spans.flags.data[span] = 0;
  spans.inputTokens.data[span] = 0;
  spans.outputTokens.data[span] = 0;
  spans.cachedTokens.data[span] = 0;
  spans.reasoningTokens.data[span] = 0;
  spans.firstToken.data[span] = 0;
}

interface Cut {
  readonly trace: Trace;
  readonly whole: Trace;
  readonly sums: MomentSums;
  /** The number of spans that had begun. */
  readonly count: number;
  readonly moment: number;
}

/** Makes `lane` what `from` was at the moment, without its children. Returns true if its row looks different to a layout. */
function cutLane(lane: Lane, from: Lane, cut: Cut): boolean {
  const { trace, sums, count, moment } = cut;
  const { slots, hookSlots, maxDisplay, errors } = lane;
  const decided = lane.decisions.length > 0;
  const has = (at: number | undefined) => at !== undefined && at <= moment;
  const isStarted = has(from.startedAt);
  const isEnded = from.state === 'ended' && has(from.endedAt);
  lane.spans.shareFirst(from.spans, count);
  lane.state = isEnded ? 'ended' : isStarted ? 'running' : 'queued';
  lane.status = isEnded ? from.status : 'open';
  lane.startedAt = isStarted ? from.startedAt : undefined;
  lane.endedAt = isEnded ? from.endedAt : undefined;
  lane.model = isStarted ? from.model : '';
  lane.maxDisplay = isStarted ? from.maxDisplay : undefined;
  lane.error = isEnded ? from.error : undefined;
  lane.cached = isEnded && from.cached;
  lane.span = from.span < count ? from.span : from.spans.ids.at(0);
  lane.session = sessionAt(from, moment);
  if (from.decisions.length > 0) keepBelow(lane.decisions, from.decisions, count);
  lane.usage = isEnded ? from.usage : sums.usageOf(from.index);
  lane.errors = isEnded ? from.errors : sums.errorsOf(from.index);
  if (isEnded) unrefuse(lane, from, cut);
  if (from.askedUsage !== undefined) setAsked(lane, isEnded ? from.askedUsage : askedAt(trace, lane, from));
  lane.slots = sums.slotsOf(from.index);
  lane.hookSlots = sums.hookSlotsOf(from.index);
  const isSame = slots === lane.slots && hookSlots === lane.hookSlots && maxDisplay === lane.maxDisplay;
  return !isSame || errors > 0 !== lane.errors > 0 || decided !== lane.decisions.length > 0;
}

function sessionAt({ session }: Lane, moment: number): Lane['session'] {
  if (session === undefined || session.openedAt > moment) return undefined;
  if (session.savedAt === undefined || session.savedAt <= moment) return session;
  return { ...session, saved: undefined, savedAt: undefined };
}

/** Takes back that the writes of an instance were refused, if that came later than its end. */
function unrefuse(lane: Lane, from: Lane, { trace, whole, moment }: Cut): void {
  if (from.error?.code !== refusedState) return;
  const refused = whole.notes.find((note) => isRefusal(note, from.index));
  if (refused === undefined || refused.at <= moment) return;
  lane.status = 'ok';
  lane.error = undefined;
  lane.errors--;
  trace.spans.setStatus(lane.span, 'ok');
}

function isRefusal(note: RunNote, lane: number): boolean {
  return note.kind === 'state' && note.outcome === 'refused' && note.from === lane;
}

/** Returns the part of a lane's usage that other models had used on behalf of servers. */
function askedAt({ spans, strings }: Trace, lane: Lane, from: Lane): Lane['askedUsage'] {
  if (from.askedUsage === undefined) return undefined;
  const asked: Record<string, Usage> = {};
  for (let i = 0; i < lane.spans.length; i++) {
    const span = lane.spans.ids.at(i);
    const name = strings[spans.name.at(span)] ?? '';
    if (spans.kind.at(span) !== kindCodes.model || spans.endSeq.at(span) === 0) continue;
    if (!Object.hasOwn(from.askedUsage, name)) continue;
    asked[name] = addUsage(asked[name] ?? noUsage, {
      inputTokens: spans.inputTokens.at(span),
      outputTokens: spans.outputTokens.at(span),
      cachedInputTokens: spans.cachedTokens.at(span),
      reasoningTokens: spans.reasoningTokens.at(span),
      modelCalls: 1,
    });
  }
  return Object.keys(asked).length === 0 ? undefined : asked;
}

function setAsked(lane: Lane, asked: Lane['askedUsage']): void {
  if (asked === undefined) delete lane.askedUsage;
  else lane.askedUsage = asked;
}

/** Returns the number of the last event that the trace tells of. */
function latestSeq({ spans, logs, notes }: Trace, ended: number): number {
  return Math.max(ended, logs.at(-1)?.seq ?? 0, notes.at(-1)?.seq ?? 0, spans.startSeq.at(spans.length - 1));
}

/** Makes the list the members of `all` below a limit, in the order of `all`. */
function keepBelow(list: number[], all: readonly number[], limit: number): void {
  list.length = 0;
  for (const one of all) if (one < limit) list.push(one);
}

/** Makes the list the entries of `all` up to the moment. Both are in the order of events. */
function shareFirst<T extends { readonly at: number }>(list: T[], all: readonly T[], moment: number): void {
  let count = 0;
  while (count < all.length && (all[count]?.at ?? 0) <= moment) count++;
  list.length = Math.min(list.length, count);
  for (let i = list.length; i < count; i++) {
    const one = all[i];
    if (one !== undefined) list.push(one);
  }
}

type Column = SpanTable[(typeof sharedColumns | typeof copiedColumns)[number]];

function share(into: Column, from: Column, length: number): void {
  into.data = from.data;
  into.length = length;
}

function copy(into: Column, from: Column, length: number): void {
  if (into.data.length < from.data.length) into.data = from.data.slice();
  into.data.set(from.data.subarray(0, length));
  into.length = length;
}
