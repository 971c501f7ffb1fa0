import type { Palette } from '@/components/timeline/palette';
import type { Pen } from '@/components/timeline/pen';
import { shownStatus } from '@/components/timeline/span-status';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import type { Status } from '@/components/ui/status';
import { type CountRow, NO_LANE, type Rows } from '@/lib/trace/lanes';
import type { Lane } from '@/lib/trace/trace';
import { formatDuration } from '@/lib/trace/wording';
import { cutText } from './cut-text';
import type { Surface } from './surface';

const indentPx = 12;
const deepest = 8;
const rightPx = 10;
/** The room of the sign of a status, in CSS pixels. */
const signPx = 18;
const lowest = 12;

/** Paints the names of all rows, as the tree beside the bars has them. Rows of 2 px have no room for names. */
export function paintNames(
  pen: Pen,
  source: Pick<TimelinePicture, 'trace' | 'view' | 'palette' | 'font' | 'now'>,
  rows: Rows,
  widthPx: number,
  textWidth: Surface['textWidth'],
): void {
  const { trace, palette, font } = source;
  if (palette === undefined) return;
  const look = `${rows.laneHeight === 24 ? 12 : 10}px ${font}`;
  const widthOf = (text: string) => textWidth(text, look);
  pen.textBaseline = 'middle';
  for (const [row, index] of rows.lanes.entries()) {
    const top = rows.tops[row] ?? 0;
    const height = (rows.tops[row + 1] ?? top) - top;
    pen.fillStyle = palette.css.band;
    if (rows.laneHeight > 2) pen.fillRect(0, top + height - 0.5, widthPx, 0.5);
    pen.font = look;
    const lane = trace.lanes[index];
    const count = rows.counts.get(row);
    const middle = top + height / 2;
    const place = { middle, widthPx, widthOf };
    if (count !== undefined) paintCount(pen, count, (trace.lanes[count.parent]?.depth ?? 0) + 1, middle, palette);
    else if (index !== NO_LANE && lane !== undefined && height >= lowest) paintName(pen, lane, place, source, palette);
  }
}

interface NamePlace {
  readonly middle: number;
  readonly widthPx: number;
  readonly widthOf: (text: string) => number;
}

function paintName(
  pen: Pen,
  lane: Lane,
  { middle, widthPx, widthOf }: NamePlace,
  { view, now }: Pick<TimelinePicture, 'view' | 'now'>,
  { css }: Palette,
): void {
  const status = lane.state === 'queued' ? 'queued' : shownStatus(lane.status);
  const left = 10 + Math.min(lane.depth, deepest) * indentPx;
  paintStatus(pen, status, left + 6, middle, css);
  let right = widthPx - rightPx;
  const before = (text: string, colour: string) => {
    pen.textAlign = 'right';
    pen.fillStyle = colour;
    pen.fillText(text, right, middle);
    pen.textAlign = 'left';
    right -= widthOf(text) + 8;
  };
  before(formatDuration((lane.endedAt ?? now) - (lane.startedAt ?? lane.queuedAt)), css.muted);
  if (lane.errors > 0 && status !== 'failed') before(`${lane.errors} failed`, css.bad);
  if (lane.attempt > 1) before(`attempt ${lane.attempt}`, css.muted);
  if (lane.cached) before('cached', css.muted);
  if (view.collapsed.has(lane.index) && lane.children.length > 0) before(`+${lane.children.length}`, css.muted);
  pen.fillStyle = css.ink;
  pen.fillText(cutName(lane.instanceName, right - left - signPx, widthOf), left + signPx, middle);
}

/** Cuts a long name before its index, so that `NY-Proj…[2]` and `NY-Proj…[3]` differ. */
function cutName(name: string, roomPx: number, widthOf: (text: string) => number): string {
  const at = name.endsWith(']') ? name.lastIndexOf('[') : -1;
  if (at <= 0) return cutText(name, roomPx, widthOf);
  const index = name.slice(at);
  return widthOf(name) <= roomPx ? name : `${cutText(name.slice(0, at), roomPx - widthOf(index), widthOf)}${index}`;
}

function paintCount(pen: Pen, count: CountRow, depth: number, middle: number, { css }: Palette): void {
  const failed = count.failed > 0 ? `, ${count.failed} with failures` : '';
  pen.fillStyle = css.muted;
  const left = 10 + Math.min(depth, deepest) * indentPx + signPx;
  pen.fillText(count.unfolded ? `${count.hidden} of them unfolded` : `+${count.hidden} more${failed}`, left, middle);
}

/** Paints a sign about 10 px wide. It says the status by its shape and not only by its colour. */
function paintStatus(pen: Pen, status: Status, x: number, y: number, css: Palette['css']): void {
  pen.lineWidth = 1.25;
  pen.strokeStyle = css[colours[status]];
  pen.fillStyle = pen.strokeStyle;
  pen.beginPath();
  if (status === 'lost') {
    strokeLine(pen, [x - 5, y + 4, x, y - 5, x + 5, y + 4, x - 5, y + 4]);
    pen.fillRect(x - 0.6, y - 1.5, 1.2, 4);
    return;
  }
  pen.arc(x, y, 4.75, 0, Math.PI * 2);
  pen.stroke();
  if (status === 'completed') strokeLine(pen, [x - 2.2, y + 0.2, x - 0.6, y + 1.8, x + 2.3, y - 1.6]);
  if (status === 'timeout') strokeLine(pen, [x, y - 2.8, x, y, x + 2, y + 1.2]);
  if (status === 'cancelled') strokeLine(pen, [x - 3.2, y - 3.2, x + 3.2, y + 3.2]);
  if (status === 'failed') {
    strokeLine(pen, [x - 1.8, y - 1.8, x + 1.8, y + 1.8]);
    strokeLine(pen, [x + 1.8, y - 1.8, x - 1.8, y + 1.8]);
  }
  if (status !== 'running') return;
  pen.beginPath();
  pen.arc(x, y, 2, 0, Math.PI * 2);
  pen.fill();
}

const colours: Readonly<Record<Status, keyof Palette['css']>> = {
  queued: 'muted',
  running: 'busy',
  suspended: 'warn',
  completed: 'ok',
  failed: 'bad',
  cancelled: 'muted',
  timeout: 'warn',
  lost: 'warn',
};

/** Strokes a line through points given as x, y, x, y, …. */
function strokeLine(pen: Pen, points: readonly number[]): void {
  pen.beginPath();
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]];
    if (i === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
  pen.stroke();
}
