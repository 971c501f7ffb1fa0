import { spanEnd, spanName } from '@/lib/trace/trace';
import { formatDuration, formatTick } from '@/lib/trace/wording';
import { barPlace } from './bar-place';
import { clockTick } from './clock-words';
import type { PaintedBars, Placed, Scene } from './paint-bars';
import { outlineDecision, paintDecision } from './paint-decisions';
import { markBox, paintBead, paintFlag, paintHidden, paintMark } from './paint-marks';
import type { Palette } from './palette';
import type { Pen } from './pen';
import { TimeAxis } from './time-scale';

const letterPx = 6;
/** A framed bar with a name is at least so high, in CSS pixels. */
const framedPx = 13;
/** The width of the mark that says `resumed`, in CSS pixels. */
const resumedPx = 54;

/**
 * Paints the second layer over the bars, in CSS pixels: names where there is room, error marks, the hovered and the
 * selected bar, and the line for now.
 */
export function paintLabels(pen: Pen, scene: Scene, bars: PaintedBars, palette: Palette, font: string): void {
  const { css } = palette;
  pen.font = `11px ${font}`;
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  const covered = bars.marks.filter((mark) => mark.kind !== 'error').map((mark) => markBox(scene, mark));
  for (const placed of bars.labels) {
    const label = besideMarks(placed, covered);
    const kind = scene.trace.spans.kindOf(label.span);
    const letters = Math.floor((label.width - 8) / letterPx);
    const name = spanName(scene.trace, label.span);
    // Waiting is a thin line, on which letters cannot be read.
    if (letters < 3 || kind === 'queued') continue;
    // Neither can they in the frame of a question beside other calls.
    if (kind === 'waiting' && label.height < framedPx) continue;
    const status = scene.trace.spans.statusOf(label.span);
    const striped = kind !== 'waiting' && (status === 'interrupted' || status === 'cancelled');
    if (striped) {
      pen.fillStyle = css.ground;
      const height = Math.min(label.height - 4, 16);
      const top = label.y + (label.height - height) / 2;
      pen.fillRect(label.x + 3, top, Math.min(name.length, letters) * letterPx + 4, height);
    }
    pen.fillStyle = striped || kind === 'waiting' ? css.ink : css.onBar;
    pen.fillText(
      name.length > letters ? `${name.slice(0, letters - 1)}…` : name,
      label.x + 5,
      label.y + label.height / 2 + 0.5,
    );
  }
  for (const bead of bars.beads) paintBead(pen, scene.trace, bead, palette);
  for (const mark of bars.marks) paintMark(pen, scene, mark, palette);
  for (const mark of bars.decisions) paintDecision(pen, mark, palette);
  paintHidden(pen, bars.hidden, scene.rows.laneHeight, palette);
  for (const flag of bars.flags) paintFlag(pen, flag, palette);
  if (scene.hovered !== undefined && scene.hovered !== scene.selected)
    outline(pen, scene, bars, scene.hovered, css.muted, 1);
  if (scene.selected !== undefined) outline(pen, scene, bars, scene.selected, css.ink, 2);
}

/** Returns the part of a bar's label that no mark covers: after a mark at its start, otherwise before the first mark. */
function besideMarks(label: Placed, covered: readonly ReturnType<typeof markBox>[]): Placed {
  let [start, end] = [label.x, label.x + label.width];
  const textMiddle = label.y + label.height / 2;
  for (const { left, width, middle } of covered) {
    if (Math.abs(middle - textMiddle) > 14 || left >= end || left + width <= start) continue;
    if (left - start < 4 * letterPx) start = Math.max(start, left + width - 1);
    else end = Math.min(end, left);
  }
  return { ...label, x: start, width: end - start };
}

function outline(pen: Pen, scene: Scene, bars: PaintedBars, span: number, colour: string, width: number): void {
  if (scene.trace.spans.kindOf(span) === 'decision') {
    const mark = bars.decisions.find(({ spans }) => spans.includes(span));
    if (mark !== undefined) outlineDecision(pen, mark, colour, width);
    return;
  }
  const { trace, rows, scrollTop, now } = scene;
  const lane = trace.lanes[trace.spans.lane.at(span)];
  const row = lane === undefined ? -1 : (rows.rowOf[lane.index] ?? -1);
  if (lane === undefined || row < 0) return;
  const place = barPlace(
    lane,
    trace.spans.kind.at(span),
    trace.spans.source.at(span),
    trace.spans.slot.at(span),
    rows.laneHeight,
  );
  if (place === undefined) return;
  const axis = new TimeAxis(scene.window, scene.width, scene.scale);
  const x = Math.max(axis.x(trace.spans.start.at(span)), -8);
  const right = Math.min(axis.x(spanEnd(trace, span, now)), scene.width + 8);
  if (right < -4 || x > scene.width + 4) return;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  const y = (rows.tops[row] ?? 0) - scrollTop + place.top;
  // The outline of a thin line keeps a distance, because it would cover the line.
  const off = place.height < 6 ? 1.5 : 0.5;
  pen.strokeRect(x - off, y - off, Math.max(right - x, 2) + 2 * off, place.height + 2 * off);
}

export interface AxisView {
  readonly scene: Scene;
  readonly height: number;
  /** `undefined` once the run has ended. */
  readonly now: number | undefined;
  /** With it the axis has the clock: `clockZero` of the run. */
  readonly zero: number | undefined;
}

/** Paints the ruler above the bars, on an empty ground. */
export function paintAxis(pen: Pen, view: AxisView, palette: Palette, font: string): void {
  const { css } = palette;
  const { scene, height } = view;
  const { ticks, width } = scene;
  const axis = new TimeAxis(scene.window, width, scene.scale);
  pen.font = `11px ${font}`;
  pen.textBaseline = 'middle';
  const resumedAt = scene.trace.run.resumed.map((time) => axis.x(time));
  const taken = resumedAt.map((x): Room => [x, x + resumedPx]);
  taken.push(...paintCuts(pen, view, axis, palette));
  /** Where the label before ends. */
  let free = 0;
  for (const time of ticks.at) {
    const x = axis.x(time);
    const text = view.zero === undefined ? formatTick(time, ticks.step) : clockTick(view.zero + time, ticks.step);
    const room = text.length * letterPx + 8;
    pen.fillStyle = css.rule;
    pen.fillRect(Math.floor(x), height - 6, 1, 6);
    pen.fillStyle = css.muted;
    const atEdge = x + room > width;
    const [left, right] = atEdge ? [x - room, x] : [x, x + room];
    if (taken.some(([from, to]) => left < to && right > from)) continue;
    pen.textAlign = atEdge ? 'right' : 'left';
    // A label at the edge is before its tick, unless the label before is there.
    if (atEdge && left < free) continue;
    pen.fillText(text, atEdge ? x - 4 : x + 4, height / 2);
    free = x + room;
  }
  pen.textAlign = 'left';
  for (const x of resumedAt) {
    if (x < 0 || x > width) continue;
    pen.fillStyle = css.warn;
    pen.fillRect(Math.floor(x), 0, 2, height);
    pen.fillText('resumed', x + 5, height / 2);
  }
  if (view.now !== undefined) {
    const x = axis.x(view.now);
    pen.fillStyle = css.busy;
    if (x >= 0 && x <= width) pen.fillRect(Math.floor(x) - 1, 0, 2, height);
  }
}

/** From where to where words are, in CSS pixels. */
type Room = readonly [from: number, to: number];

/** Marks the time that is drawn short, with how long it was. Returns where the words are. */
function paintCuts(pen: Pen, { scene, height }: AxisView, axis: TimeAxis, { css }: Palette): readonly Room[] {
  const { scale, width } = scene;
  pen.textAlign = 'center';
  const rooms: Room[] = [];
  for (const { from, until } of scale.stretches) {
    const [left, right] = [axis.x(from), axis.x(until)];
    if (right < 0 || left > width) continue;
    pen.fillStyle = css.muted;
    for (let x = Math.max(left, -4); x < Math.min(right, width); x += 4) pen.fillRect(Math.floor(x), height - 5, 2, 5);
    const text = formatDuration(until - from);
    const half = (text.length * letterPx) / 2;
    const middle = Math.min(Math.max((left + right) / 2, half + 4), width - half - 4);
    if (rooms.some(([, end]) => middle - half < end)) continue;
    pen.fillStyle = css.ink;
    pen.fillText(text, middle, (height - 5) / 2);
    rooms.push([middle - half - 4, middle + half + 4]);
  }
  return rooms;
}
