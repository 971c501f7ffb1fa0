/**
 * Paints bars of the rows in view as plain rectangles, in device pixels. It is pure, because it paints into a sink, which
 * is a pixel buffer in the page and a list in tests.
 *
 *   row   ┌─────────────────────────────────────────────┐
 *         │ ░queued░ ▓▓instance▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓ │  pad
 *         │          │██ model ██│█ tool █│      │█model█│ │  steps, inset; overlapping tools below each other
 *         │                      ━━ delegation ━━        │  a line: the child has a row of its own
 *         │           ●━━ hook ━━━ ●━━━━━                │  lines below, the outermost first, each with its mark
 *         │            ●━ hook ━━                        │
 *         │          [◆] [★] marks of decisions         │
 *         └─────────────────────────────────────────────┘
 *
 * Only rows and times in view are looked at, and a bar that ends on the pixel last painted in its sub-row is skipped.
 */
import { holdsSlot } from '@/lib/trace/fold-spans';
import { decisionRoom, hookLinePx, hookRoom, mostHookLines, mostSlots, type Rows, rowAt } from '@/lib/trace/lanes';
import { spanKinds, spanStatuses } from '@/lib/trace/span';
import { toolSources } from '@/lib/trace/span-table';
import { type Lane, spanEnd, type Trace } from '@/lib/trace/trace';
import { type DecisionMark, decisionMarks } from './decision-marks';
import { dimmed, type Paint, paintIndex } from './palette';
import { marksOfLane, type SpanMark } from './span-marks';
import type { TimeWindow } from './time-window';

export interface BarSink {
  /**
   * Paints a rectangle in whole device pixels. It may reach outside the picture. `paint` is an index of `paints`, or that of
   * its dimmed colour.
   */
  rect(x: number, y: number, width: number, height: number, paint: number): void;
}

export interface Scene {
  readonly trace: Trace;
  readonly rows: Rows;
  readonly window: TimeWindow;
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
  readonly highlight?: ReadonlySet<number> | undefined;
  readonly spanMarks?: readonly SpanMark[] | undefined;
  /** The times of the vertical lines. */
  readonly ticks: readonly number[];
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
  /** The number of bars that were looked at and drawn, for benchmarks. */
  readonly drawn: number;
}

export const padPx = 3;
const insetPx = 2;
const hookPx = 3;
const delegationPx = 3;
const labelFromPx = 30;
/** The least width of a tool call, in device pixels. */
const thinPx = 2;
const markApartPx = 12;
const beadApartPx = 8;

const kindAt = {
  instance: spanKinds.indexOf('instance'),
  queued: spanKinds.indexOf('queued'),
  model: spanKinds.indexOf('model'),
  tool: spanKinds.indexOf('tool'),
  hook: spanKinds.indexOf('hook'),
  setup: spanKinds.indexOf('setup'),
  decision: spanKinds.indexOf('decision'),
};
const sourceAgent = toolSources.indexOf('agent');
const statusAt = {
  open: spanStatuses.indexOf('open'),
  error: spanStatuses.indexOf('error'),
  cancelled: spanStatuses.indexOf('cancelled'),
  timeout: spanStatuses.indexOf('timeout'),
  interrupted: spanStatuses.indexOf('interrupted'),
};
const paintOfSource = toolSources.map((source) =>
  paintIndex(source === 'none' || source === 'agent' ? 'delegation' : source),
);
const ink = (paint: Paint) => paintIndex(paint);
const inks = {
  ground: ink('ground'),
  rule: ink('rule'),
  band: ink('band'),
  selectedRow: ink('selectedRow'),
  instance: ink('instance'),
  instanceBad: ink('instanceBad'),
  queued: ink('queued'),
  queuedEdge: ink('queuedEdge'),
  model: ink('model'),
  hook: ink('hook'),
  setup: ink('setup'),
  bad: ink('bad'),
  busy: ink('busy'),
  delegation: ink('delegation'),
};

export function paintBars(sink: BarSink, scene: Scene): PaintedBars {
  const { rows, dpr, trace, scrollTop } = scene;
  const wide = Math.round(scene.width * dpr);
  sink.rect(0, 0, wide, Math.round(scene.height * dpr), inks.ground);
  const out: Out = { labels: [], marks: [], beads: [], decisions: [], flags: [], drawn: 0 };
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
  for (const tick of scene.ticks) sink.rect(xOf(scene, tick), 0, 1, bottom, inks.rule);
  for (let row = firstRow; row <= lastRow; row++) {
    const lane = trace.lanes[rows.lanes[row] ?? -1];
    const bottomEdge = (rows.tops[row + 1] ?? 0) - scrollTop;
    if (lane !== undefined && bottomEdge > 0) paintLane(sink, scene, lane, (rows.tops[row] ?? 0) - scrollTop, out);
  }
  return out;
}

/** Returns the place of a span's bar inside its row, in CSS pixels from the row's top. */
export function barPlace(lane: Lane, kind: number, source: number, slot: number): { top: number; height: number } {
  const slots = Math.min(lane.slots, mostSlots);
  const inner = 20 + (slots - 1) * 8;
  if (kind === kindAt.instance || kind === kindAt.queued) {
    return { top: padPx, height: inner + hookRoom(lane) + decisionRoom(lane) };
  }
  if (kind === kindAt.hook) {
    return { top: padPx + inner + Math.min(slot, mostHookLines - 1) * hookLinePx, height: hookPx };
  }
  const room = inner - 2 * insetPx;
  if (kind === kindAt.tool && source === sourceAgent) {
    return { top: padPx + (inner - delegationPx) / 2, height: delegationPx };
  }
  if (kind === kindAt.model || slots === 1) return { top: padPx + insetPx, height: room };
  const each = Math.floor(room / slots);
  return { top: padPx + insetPx + Math.min(slot, mostSlots - 1) * each, height: each - 1 };
}

interface Out {
  readonly labels: Placed[];
  readonly marks: Mark[];
  readonly beads: Placed[];
  readonly decisions: DecisionMark[];
  readonly flags: PlacedFlag[];
  drawn: number;
}

/** The right edge last painted per sub-row, and the last hook mark per line. The arrays are reused between lanes. */
const lastRight = new Int32Array(mostSlots + 3 + mostHookLines);
const lastBead = new Float64Array(mostHookLines);

/**
 * One bar to paint: a rectangle in device pixels, and its meaning as indices of `spanKinds`, `toolSources` and
 * `spanStatuses`.
 */
interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: number;
  source: number;
  status: number;
  dim: boolean;
}

/** One object is reused for every bar, because a frame paints thousands of them. */
const bar: Bar = { x: 0, y: 0, width: 0, height: 0, kind: 0, source: 0, status: 0, dim: false };

function paintLane(sink: BarSink, scene: Scene, lane: Lane, rowTop: number, out: Out): void {
  const { trace, window, dpr, now, width } = scene;
  const { spans } = trace;
  const scale = (width * dpr) / (window.to - window.from);
  const first = lane.spans.firstReaching(window.from);
  const after = lane.spans.afterLastStarting(window.to);
  const wide = Math.round(width * dpr);
  const marked = new Set<number>();
  lastBead.fill(Number.NEGATIVE_INFINITY);
  const { highlight } = scene;
  // Highlighted bars are painted over dimmed ones, so that none of them is hidden.
  for (const dim of highlight === undefined ? [false] : [true, false]) {
    lastRight.fill(-1_000_000);
    // Tools and hooks are painted last, because a call of a millisecond must show between two model calls of seconds.
    for (const quick of [false, true]) {
      for (let i = first; i < after; i++) {
        const span = lane.spans.ids.at(i);
        if (highlight === undefined || highlight.has(span) !== dim) paintSpan(span, quick, dim);
      }
    }
  }
  if (lane.decisions.length > 0) {
    const decided = decisionMarks(scene, lane, rowTop);
    out.decisions.push(...decided);
    out.drawn += decided.length;
  }
  if (scene.spanMarks !== undefined) paintSpanMarks(sink, scene, lane, rowTop, out);

  function paintSpan(span: number, quick: boolean, dim: boolean): void {
    if (quick !== (spans.kind.at(span) === kindAt.hook || holdsSlot(trace, span))) return;
    const end = spans.end.at(span);
    if (end < window.from) return;
    const status = spans.status.at(span);
    const kind = spans.kind.at(span);
    if (kind === kindAt.decision) return;
    const source = spans.source.at(span);
    const slot = spans.slot.at(span);
    const x = Math.floor((spans.start.at(span) - window.from) * scale);
    const until = end === Number.POSITIVE_INFINITY ? Math.max(now, spans.start.at(span)) : end;
    const right = Math.max(x + (quick ? thinPx : 1), Math.round((until - window.from) * scale));
    const failed = status === statusAt.error || status === statusAt.timeout;
    const track = trackOf(kind, source, slot);
    if (right <= (lastRight[track] ?? 0) && right - x <= thinPx && !failed) return;
    lastRight[track] = right;
    out.drawn++;
    const place = barPlace(lane, kind, source, slot);
    const y = Math.round((rowTop + place.top) * dpr);
    const height = Math.max(1, Math.round(place.height * dpr));
    const left = Math.max(x, -4);
    const stop = Math.min(right, wide + 4);
    const gap = stop - left > 4 * dpr && kind !== kindAt.instance ? 1 : 0;
    bar.x = left;
    bar.y = y;
    bar.width = stop - left - gap;
    bar.height = height;
    bar.kind = kind;
    bar.source = source;
    bar.status = status;
    bar.dim = dim;
    paintBar(sink, bar, dpr);
    if (dim) return;
    const cssX = Math.max(x / dpr, 0);
    const cssWidth = Math.min(right / dpr, width) - cssX;
    const mark = markOf(trace, span, failed);
    const stretch = Math.floor(cssX / markApartPx);
    if (mark !== undefined && !marked.has(stretch - 1) && !marked.has(stretch) && !marked.has(stretch + 1)) {
      marked.add(stretch);
      const alone = kind === kindAt.queued;
      out.marks.push({ span, x: cssX, y: rowTop, width: cssWidth, height: place.height, kind: mark, alone });
    }
    const line = Math.min(slot, mostHookLines - 1);
    if (kind === kindAt.hook && x >= 0 && cssX - (lastBead[line] ?? 0) > beadApartPx) {
      lastBead[line] = cssX;
      out.beads.push({ span, x: cssX, y: rowTop + place.top, width: cssWidth, height: place.height });
    }
    if (cssWidth >= labelFromPx && place.height >= 11 && kind !== kindAt.instance) {
      out.labels.push({ span, x: cssX, y: rowTop + place.top, width: cssWidth, height: place.height });
    }
  }
}

function markOf(trace: Trace, span: number, failed: boolean): MarkKind | undefined {
  if (trace.spans.has(span, 'cached')) return 'cached';
  if (trace.spans.has(span, 'refused')) return 'refused';
  return failed ? 'error' : undefined;
}

function paintBar(sink: BarSink, bar: Bar, dpr: number): void {
  const { x, y, width, height, kind, source, status, dim } = bar;
  const shade = (paint: number) => (dim ? dimmed(paint) : paint);
  const failed = status === statusAt.error || status === statusAt.timeout;
  const cut = status === statusAt.interrupted || status === statusAt.cancelled;
  if (kind === kindAt.instance) {
    sink.rect(x, y, width, height, shade(failed ? inks.instanceBad : inks.instance));
    sink.rect(x, y, Math.min(width, Math.round(2 * dpr)), height, shade(failed ? inks.bad : inks.delegation));
  } else if (kind === kindAt.queued) {
    paintStripes(sink, bar, { strong: shade(inks.queuedEdge), soft: shade(inks.queued) }, dpr);
  } else {
    const colour = shade(inkOf(kind, source));
    if (cut) paintStripes(sink, bar, { strong: colour, soft: inks.ground }, dpr);
    else sink.rect(x, y, width, height, failed && width < 4 * dpr ? shade(inks.bad) : colour);
  }
  // A failed delegation has no red line, because its child's row and the mark show it, and the line would cover those
  // beside it.
  if (failed && kind !== kindAt.instance && height > delegationPx * dpr) {
    const line = Math.max(1, Math.round(2 * dpr));
    sink.rect(x, y + height - line, width, line, shade(inks.bad));
  }
  if (status === statusAt.open) {
    const cap = Math.round(2 * dpr);
    sink.rect(x + width - cap, y, cap, height, shade(inks.busy));
  }
}

const markLinePx = 3;

/** Paints the lines of `spanMarks` of one lane, and places their flags. */
function paintSpanMarks(sink: BarSink, scene: Scene, lane: Lane, rowTop: number, out: Out): void {
  const { trace, window, dpr, now, width, spanMarks = [] } = scene;
  const { spans } = trace;
  const perUs = width / (window.to - window.from);
  const line = Math.max(1, Math.round(markLinePx * dpr));
  for (const { span, look, paint, part, word = '' } of marksOfLane(trace, spanMarks, lane.index)) {
    const from = part?.from ?? spans.start.at(span);
    const to = part?.to ?? spanEnd(trace, span, now);
    if (to < window.from || from > window.to) continue;
    const place = barPlace(lane, spans.kind.at(span), spans.source.at(span), spans.slot.at(span));
    const x = Math.max((from - window.from) * perUs, 0);
    const right = Math.min((to - window.from) * perUs, width);
    const y = rowTop + place.top;
    if (look === 'flag') {
      out.flags.push({ span, x, y, width: right - x, height: place.height, paint, word });
      continue;
    }
    const left = Math.floor(x * dpr);
    const bottom = Math.round((y + place.height) * dpr);
    sink.rect(left, bottom - line, Math.max(1, Math.round(right * dpr) - left), line, paintIndex(paint));
  }
}

/** Returns the colour of a step: a model call, a hook, a setup or a tool call, which has the colour of its source. */
function inkOf(kind: number, source: number): number {
  if (kind === kindAt.model) return inks.model;
  if (kind === kindAt.hook) return inks.hook;
  if (kind === kindAt.setup) return inks.setup;
  return paintOfSource[source] ?? inks.delegation;
}

/** Paints stripes on a step that waited or was cut short, so that it differs not only in colour. */
function paintStripes(
  sink: BarSink,
  { x, y, width, height }: Bar,
  { strong, soft }: { readonly strong: number; readonly soft: number },
  dpr: number,
): void {
  sink.rect(x, y, width, height, soft);
  const pitch = Math.round(9 * dpr);
  const line = Math.max(1, Math.round(dpr));
  for (let at = x; at < x + width; at += pitch) sink.rect(at, y, Math.min(line, x + width - at), height, strong);
  if (width > pitch) {
    sink.rect(x, y, width, line, strong);
    sink.rect(x, y + height - line, width, line, strong);
  }
}

function trackOf(kind: number, source: number, slot: number): number {
  if (kind === kindAt.instance || kind === kindAt.queued) return mostSlots;
  if (kind === kindAt.hook) return mostSlots + 3 + Math.min(slot, mostHookLines - 1);
  if (kind === kindAt.model) return mostSlots + 1;
  if (source === sourceAgent) return mostSlots + 2;
  return Math.min(slot, mostSlots - 1);
}

function xOf(scene: Scene, time: number): number {
  const { window, width, dpr } = scene;
  return Math.floor(((time - window.from) / (window.to - window.from)) * width * dpr);
}
