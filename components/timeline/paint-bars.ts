/**
 * Paints bars of the rows in view as plain rectangles, in device pixels. It is pure, because it paints into a sink, which
 * is a pixel buffer in the page and a list in tests.
 *
 *   row   ┌─────────────────────────────────────────────┐
 *         │ ░queued░ ▓▓instance▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ │  pad
 *         │          │██ model ██│█ tool █│      │█model█│ │  steps, inset; overlapping tools below each other
 *         │                           ┆waiting┆          │  over its call: a person is asked
 *         │                      ━━ delegation ━━        │  a line: the child has a row of its own
 *         │           ●━━ hook ━━━ ●━━━━━                │  lines below, the outermost first, each with its mark
 *         │            ●━ hook ━━                        │
 *         │             +45                              │  how many calls and hooks have no place above
 *         │          [◆] [★] marks of decisions         │
 *         └─────────────────────────────────────────────┘
 *
 * Only rows and times in view are looked at. Bars so short and close that nobody can see them as several are painted as one (`short-bars.ts`).
 */

import type { SpanPick } from '@/lib/trace/find-spans';
import { mostHookLines, mostSlots, type Rows, rowAt } from '@/lib/trace/lanes';
import { repeatedUntil } from '@/lib/trace/retries';
import { isLineCode, kindCodes, statusCodes } from '@/lib/trace/span';
import { sourceCodes } from '@/lib/trace/span-table';
import { type Lane, spanEnd, type Trace } from '@/lib/trace/trace';
import { barPlace, countTop, type Place } from './bar-place';
import { type DecisionMark, decisionMarks } from './decision-marks';
import { countHidden, type HiddenCalls } from './hidden-calls';
import { type Bar, type BarSink, inks, paintBar, paintModelCall } from './paint-bar';
import { type Paint, paintIndex } from './palette';
import { type PaintShort, ShortBars, shortKinds } from './short-bars';
import { marksOfLane, type SpanMark } from './span-marks';
import { TimeAxis, type TimeScale } from './time-scale';
import type { Ticks, TimeWindow } from './time-window';

export interface Scene {
  readonly trace: Trace;
  readonly rows: Rows;
  readonly window: TimeWindow;
  readonly scale: TimeScale;
  /** The time to which open bars reach, in microseconds since the origin. One value serves the whole frame. */
  readonly now: number;
  /** The width in CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly scrollTop: number;
  readonly dpr: number;
  readonly selected: number | undefined;
  readonly hovered: number | undefined;
  /** The lane that holds the keyboard focus or the selection. */
  readonly activeLane: number | undefined;
  /** If set, only these spans are drawn in their full colour. */
  readonly highlight?: SpanPick | undefined;
  readonly spanMarks?: readonly SpanMark[] | undefined;
  /** The vertical lines. */
  readonly ticks: Ticks;
}

/** The place of a bar that has a label or a mark, in CSS pixels. */
export interface Placed {
  readonly span: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The meaning of a mark. It shows as an icon, with a word if there is room. */
export type MarkKind = 'error' | 'cached' | 'refused';

export interface Mark extends Placed {
  readonly kind: MarkKind;
  /** True if nothing else is in the row, so that there is room for the word. */
  readonly alone: boolean;
}

export interface PlacedFlag extends Placed {
  readonly paint: Paint;
  readonly word: string;
}

export interface PaintedBars {
  readonly labels: readonly Placed[];
  readonly marks: readonly Mark[];
  /** The places where hooks begin. */
  readonly beads: readonly Placed[];
  readonly decisions: readonly DecisionMark[];
  /** The flags of `spanMarks`, with the places where they stand. */
  readonly flags: readonly PlacedFlag[];
  /** Calls and hooks without a place of their own. */
  readonly hidden: readonly HiddenCalls[];
  /** The number of bars that were drawn, and of those that touch the window, for tests. */
  readonly drawn: number;
  readonly looked: number;
}

const labelFromPx = 30;
/** The least width of a tool call, in device pixels. */
const thinPx = 2;
const markApartPx = 12;
const beadApartPx = 8;

export function paintBars(sink: BarSink, scene: Scene): PaintedBars {
  const { rows, dpr, trace, scrollTop } = scene;
  const wide = Math.round(scene.width * dpr);
  sink.rect(0, 0, wide, Math.round(scene.height * dpr), inks.ground);
  const out: Out = { labels: [], marks: [], beads: [], decisions: [], flags: [], hidden: [], drawn: 0, looked: 0 };
  if (rows.lanes.length === 0) return out;
  const firstRow = rowAt(rows, scrollTop);
  const lastRow = rowAt(rows, scrollTop + scene.height);
  for (let row = firstRow; row <= lastRow; row++) {
    const index = rows.lanes[row];
    const y = Math.round(((rows.tops[row] ?? 0) - scrollTop) * dpr);
    const below = Math.round(((rows.tops[row + 1] ?? 0) - scrollTop) * dpr);
    if (index !== undefined && index === scene.activeLane) sink.rect(0, y, wide, below - y, inks.selectedRow);
    sink.rect(0, below - 1, wide, 1, inks.band);
  }
  const bottom = Math.round(((rows.tops[lastRow + 1] ?? 0) - scrollTop) * dpr);
  const axis = new TimeAxis(scene.window, wide, scene.scale);
  for (const tick of scene.ticks.at) sink.rect(Math.floor(axis.x(tick)), 0, 1, bottom, inks.rule);
  for (let row = firstRow; row <= lastRow; row++) {
    const lane = trace.lanes[rows.lanes[row] ?? -1];
    const bottomEdge = (rows.tops[row + 1] ?? 0) - scrollTop;
    if (lane !== undefined && bottomEdge > 0) paintLane(sink, scene, lane, (rows.tops[row] ?? 0) - scrollTop, out);
  }
  paintCuts(sink, scene, axis, bottom);
  return out;
}

const cutApartPx = 4;

/** Cuts the bars into strips where the time is drawn short. */
function paintCuts(sink: BarSink, { scale, dpr, width }: Scene, axis: TimeAxis, bottom: number): void {
  const apart = Math.round(cutApartPx * dpr);
  for (const { from, until } of scale.stretches) {
    const right = Math.min(axis.x(until), width * dpr);
    for (let x = Math.max(Math.floor(axis.x(from)), -apart * 2); x < right; x += apart)
      sink.rect(x, 0, Math.round(apart / 2), bottom, inks.ground);
  }
}

interface Out {
  readonly labels: Placed[];
  readonly marks: Mark[];
  readonly beads: Placed[];
  readonly decisions: DecisionMark[];
  readonly flags: PlacedFlag[];
  readonly hidden: HiddenCalls[];
  drawn: number;
  looked: number;
}

/** The number of places at which bars of a lane are painted beside or over each other. */
const tracks = mostSlots + 5 + mostHookLines;
/** The right edge last painted per sub-row, short bars, and the last hook mark per line. They are reused between lanes. */
const lastRight = new Int32Array(tracks);
const shortBars = new ShortBars(tracks);
const lastBead = new Float64Array(mostHookLines);
/** Failed tools and hooks of a lane, until they are painted. */
const failedQuick: number[] = [];
/** The spans of a lane that are in view. */
let inView = new Uint32Array(256);

/** One object is reused for every bar, because a frame paints thousands of them. */
const bar: Bar = { x: 0, y: 0, width: 0, height: 0, kind: 0, source: 0, status: 0, dim: false };

function paintLane(sink: BarSink, scene: Scene, lane: Lane, rowTop: number, out: Out): void {
  const { trace, window, highlight, spanMarks } = scene;
  const axis = new TimeAxis(window, scene.width * scene.dpr, scene.scale);
  if (inView.length < lane.spans.length) inView = new Uint32Array(lane.spans.length * 2);
  const count = lane.spans.touching(window.from, window.to, inView);
  out.looked += count;
  lastBead.fill(Number.NEGATIVE_INFINITY);
  const row: LaneRow = { sink, scene, axis, lane, top: rowTop, out, marked: new Set(), hidden: [] };
  // Highlighted bars are painted over dimmed ones, so that none of them is hidden.
  for (const dim of highlight === undefined ? [false] : [true, false]) {
    lastRight.fill(-1_000_000);
    // Tools and hooks are painted last, because a call of a millisecond must show between two model calls of seconds.
    for (const quick of [false, true]) {
      const pass: Pass = { quick, dim, paint: (span, widthPx) => paintShort(row, span, dim, widthPx) };
      for (let i = 0; i < count; i++) {
        const span = inView[i] ?? 0;
        if (highlight === undefined || highlight.has(span) !== dim) paintSpan(row, span, pass);
      }
      shortBars.endAll(pass.paint);
      // A bar that stands for its neighbours must not cover one that failed.
      const last: Pass = { ...pass, isLast: true };
      for (const span of failedQuick) paintSpan(row, span, last);
      failedQuick.length = 0;
    }
  }
  for (const counted of row.hidden) {
    out.hidden.push(counted);
    if (scene.rows.laneHeight > 2) paintStretch(sink, scene, counted);
  }
  if (lane.decisions.length > 0 && scene.rows.laneHeight === 24) {
    const decided = decisionMarks(scene, lane, rowTop);
    out.decisions.push(...decided);
    out.drawn += decided.length;
  }
  if (spanMarks !== undefined) paintSpanMarks(scene, marksOfLane(trace, spanMarks, lane.index), row);
}

/** Paints the stretch in which calls are counted as a line over the count. */
function paintStretch(sink: BarSink, { dpr, rows }: Scene, { left, right, y }: HiddenCalls): void {
  const x = Math.round(left * dpr);
  const line = Math.max(1, Math.round(dpr));
  const width = Math.max(Math.round((right - left) * dpr), 2 * line);
  sink.rect(x, Math.round((y + (rows.laneHeight === 24 ? 1 : 0)) * dpr), width, line, inks.muted);
}

/** A lane while it is painted. */
interface LaneRow {
  /** Where times are, in device pixels. */
  readonly axis: TimeAxis;
  readonly sink: BarSink;
  readonly scene: Scene;
  readonly lane: Lane;
  /** The y of its row in the picture. */
  readonly top: number;
  readonly out: Out;
  /** The stretches that have a mark. */
  readonly marked: Set<number>;
  readonly hidden: HiddenCalls[];
}

/** What is painted of a lane at one time: `quick` are tools, setups and hooks, `dim` what is not highlighted. */
interface Pass {
  readonly quick: boolean;
  readonly dim: boolean;
  readonly paint: PaintShort;
  /** True for quick ones that failed, after all others. */
  readonly isLast?: boolean;
}

/** Paints one span if it belongs to the present pass. Short ones are painted together with their neighbours. */
function paintSpan(row: LaneRow, span: number, { quick, dim, paint, isLast = false }: Pass): void {
  const { scene, lane, axis } = row;
  const { trace, dpr, now, width, rows } = scene;
  const { spans } = trace;
  const kind = spans.kind.at(span);
  const source = spans.source.at(span);
  if (quick !== isQuick(kind, source)) return;
  const end = spans.end.at(span);
  if (kind === kindCodes.decision && rows.laneHeight === 24) return;
  const slot = spans.slot.at(span);
  const begins = axis.x(spans.start.at(span));
  const x = Math.floor(begins);
  const until = end === Number.POSITIVE_INFINITY ? Math.max(now, spans.start.at(span)) : end;
  const least = quick || kind === kindCodes.decision ? thinPx : 1;
  const ends = axis.x(until);
  const right = Math.max(x + least, Math.round(ends));
  const place = barPlace(lane, kind, source, slot, rows.laneHeight);
  if (place === undefined) {
    const y = row.top + countTop(lane, rows.laneHeight);
    if (!dim) countHidden(row.hidden, y, span, Math.max(x / dpr, 0), Math.min(right / dpr, width));
    return;
  }
  const status = spans.status.at(span);
  const failed = status === statusCodes.error || status === statusCodes.timeout;
  if (quick && failed && !isLast) {
    failedQuick.push(span);
    return;
  }
  const track = trackOf(kind, source, slot);
  const widthPx = ends - begins;
  if (quick && !failed && status !== statusCodes.open && widthPx < thinPx) {
    shortBars.add(track, span, shortKind(kind, source), x, widthPx, paint);
    return;
  }
  if (right <= (lastRight[track] ?? 0) && right - x <= thinPx && !failed) return;
  lastRight[track] = right;
  drawBar(row, span, { place, x, right, dim });
}

/** True for tools, setups, hooks and questions, which are painted after the rest. */
function isQuick(kind: number, source: number): boolean {
  if (kind === kindCodes.tool) return source !== sourceCodes.agent;
  return isLineCode(kind) || kind === kindCodes.setup || kind === kindCodes.waiting;
}

/** Tells the kinds of short bars apart that have different colours, as numbers below `shortKinds`. */
function shortKind(kind: number, source: number): number {
  if (kind === kindCodes.tool) return source;
  return shortKinds - (kind === kindCodes.hook ? 1 : kind === kindCodes.setup ? 2 : 3);
}

/** Paints a short bar, or with `widthPx` the one that stands for its neighbours too. */
function paintShort(row: LaneRow, span: number, dim: boolean, widthPx = 0): void {
  const { trace, rows } = row.scene;
  const { kind, source, slot, start } = trace.spans;
  const place = barPlace(row.lane, kind.at(span), source.at(span), slot.at(span), rows.laneHeight);
  if (place === undefined) return;
  const x = Math.floor(row.axis.x(start.at(span)));
  drawBar(row, span, { place, x, right: x + Math.max(thinPx, widthPx), dim });
}

/** Paints a bar from `x` to `right`, in device pixels, with its words and marks. */
function drawBar(
  row: LaneRow,
  span: number,
  {
    place,
    x,
    right,
    dim,
  }: { readonly place: Place; readonly x: number; readonly right: number; readonly dim: boolean },
): void {
  const { sink, scene, out } = row;
  const { trace, dpr, width, rows } = scene;
  const { kind, source, status } = trace.spans;
  out.drawn++;
  const stop = Math.min(right, Math.round(width * dpr) + 4);
  bar.x = Math.max(x, -4);
  bar.y = Math.round((row.top + place.top) * dpr);
  bar.kind = kind.at(span);
  const gap = stop - bar.x > 4 * dpr && bar.kind !== kindCodes.instance ? 1 : 0;
  bar.width = stop - bar.x - gap;
  bar.height = Math.max(1, Math.round(place.height * dpr));
  bar.source = source.at(span);
  bar.status = status.at(span);
  bar.dim = dim;
  paintBar(sink, bar, dpr);
  if (bar.kind === kindCodes.model && bar.width > 4 * dpr) paintModelCall(sink, bar, momentsOf(row, span), dpr);
  if (!dim && rows.laneHeight > 2) addWords(row, span, place, Math.max(x / dpr, 0), Math.min(right / dpr, width));
}

/** Returns where in the picture the repeated requests of a model call end, and where its answer begins. */
function momentsOf({ scene: { trace }, axis }: LaneRow, span: number) {
  const xAt = (time: number) => Math.floor(axis.x(time));
  const lost = repeatedUntil(trace).get(span);
  const first = trace.spans.firstToken.at(span);
  return {
    lostTo: lost === undefined ? undefined : xAt(lost),
    tick: first === 0 ? undefined : xAt(trace.spans.start.at(span) + first),
  };
}

/** Adds the mark, the hook's start and the label of a bar, if there is room for them. */
function addWords(row: LaneRow, span: number, place: Place, x: number, right: number): void {
  const { scene, out, marked } = row;
  const { spans } = scene.trace;
  const kind = spans.kind.at(span);
  const width = right - x;
  const placed = { span, x, y: row.top + place.top, width, height: place.height };
  const mark = markOf(scene.trace, span);
  const stretch = Math.floor(x / markApartPx);
  if (mark !== undefined && !marked.has(stretch - 1) && !marked.has(stretch) && !marked.has(stretch + 1)) {
    marked.add(stretch);
    const fits = scene.rows.laneHeight === 24 || mark === 'error';
    if (fits) out.marks.push({ ...placed, y: row.top, kind: mark, alone: kind === kindCodes.queued });
  }
  const line = Math.min(spans.slot.at(span), mostHookLines - 1);
  const begins = spans.start.at(span) >= scene.window.from;
  if (kind === kindCodes.hook && begins && scene.rows.laneHeight === 24 && x - (lastBead[line] ?? 0) > beadApartPx) {
    lastBead[line] = x;
    out.beads.push(placed);
  }
  if (width >= labelFromPx && place.height >= 11 && kind !== kindCodes.instance) out.labels.push(placed);
}

function markOf(trace: Trace, span: number): MarkKind | undefined {
  if (trace.spans.has(span, 'cached')) return 'cached';
  if (trace.spans.has(span, 'refused')) return 'refused';
  const status = trace.spans.status.at(span);
  if (trace.spans.kind.at(span) === kindCodes.waiting) return undefined;
  return status === statusCodes.error || status === statusCodes.timeout ? 'error' : undefined;
}

function trackOf(kind: number, source: number, slot: number): number {
  if (kind === kindCodes.instance || kind === kindCodes.queued) return mostSlots;
  if (isLineCode(kind)) return mostSlots + 3 + Math.min(slot, mostHookLines - 1);
  if (kind === kindCodes.model) return mostSlots + 1;
  if (kind === kindCodes.decision) return mostSlots + 3 + mostHookLines;
  if (kind === kindCodes.waiting) return mostSlots + 4 + mostHookLines;
  if (source === sourceCodes.agent) return mostSlots + 2;
  return Math.min(slot, mostSlots - 1);
}

const markLinePx = 3;

/** Paints the lines of the marks of one lane, and places their flags. */
function paintSpanMarks(scene: Scene, marks: readonly SpanMark[], { sink, lane, top: rowTop, out }: LaneRow): void {
  const { trace, window, dpr, now, width, rows } = scene;
  const { spans } = trace;
  const axis = new TimeAxis(window, width, scene.scale);
  const line = Math.max(1, Math.round((rows.laneHeight === 24 ? markLinePx : 2) * dpr));
  for (const { span, look, paint, part, word = '' } of marks) {
    const from = part?.from ?? spans.start.at(span);
    const to = part?.to ?? spanEnd(trace, span, now);
    if (to < window.from || from > window.to) continue;
    const place = barPlace(lane, spans.kind.at(span), spans.source.at(span), spans.slot.at(span), rows.laneHeight);
    if (place === undefined) continue;
    const x = Math.max(axis.x(from), 0);
    const right = Math.min(axis.x(to), width);
    const y = rowTop + place.top;
    if (look === 'flag') {
      if (rows.laneHeight < 24) continue;
      out.flags.push({ span, x, y, width: right - x, height: place.height, paint, word });
      continue;
    }
    const left = Math.floor(x * dpr);
    const bottom = Math.round((y + place.height) * dpr);
    sink.rect(left, bottom - line, Math.max(1, Math.round(right * dpr) - left), line, paintIndex(paint));
  }
}
