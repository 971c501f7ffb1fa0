import type { LaneHeight } from '@/lib/trace/lanes';
import type { Trace } from '@/lib/trace/trace';
import type { HiddenCalls } from './hidden-calls';
import type { Mark, Placed, PlacedFlag, Scene } from './paint-bars';
import type { Palette } from './palette';
import type { Pen } from './pen';

const letterPx = 6;
const iconPx = 10;

/** Returns the area that a mark with an icon covers. It is 16 px high, with `middle` in its centre. */
export function markBox(scene: Pick<Scene, 'width'>, mark: Mark): { left: number; width: number; middle: number } {
  const width = iconPx + 8 + (mark.alone ? mark.kind.length * letterPx + 8 : 0);
  const left = mark.x + width + 4 > scene.width ? Math.max(mark.x - width - 3, 0) : mark.x + 4;
  return { left, width, middle: mark.y + 13 };
}

/** Paints the mark at the start of a bar: the call failed, was answered from the cache, or was refused. */
export function paintMark(pen: Pen, scene: Scene, mark: Mark, palette: Palette): void {
  if (mark.kind === 'error') {
    paintErrorMark(pen, mark.x, mark.y, palette);
    return;
  }
  const { css } = palette;
  const colour = mark.kind === 'cached' ? css.muted : css.bad;
  const { left, width, middle } = markBox(scene, mark);
  pen.fillStyle = css.ground;
  pen.fillRect(left, middle - 8, width, 16);
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.strokeRect(left + 0.5, middle - 7.5, width - 1, 15);
  if (mark.kind === 'cached') paintStack(pen, left + 4, middle, colour);
  else paintBarred(pen, left + 4, middle, colour);
  if (!mark.alone) return;
  pen.fillStyle = colour;
  pen.fillText(mark.kind, left + iconPx + 8, middle + 0.5);
}

/**
 * Paints the start of a hook: a dot if it let the call through, a square if not, an open circle if it changed something.
 */
export function paintBead(pen: Pen, trace: Trace, bead: Placed, { css }: Palette): void {
  const { spans } = trace;
  const failed = spans.statusOf(bead.span) === 'error';
  const y = bead.y + bead.height / 2;
  const colour = failed ? css.bad : css.hook;
  pen.fillStyle = css.ground;
  pen.beginPath();
  pen.arc(bead.x + 1, y, 3.5, 0, Math.PI * 2);
  pen.fill();
  pen.fillStyle = colour;
  if (spans.has(bead.span, 'stopped') || failed) {
    pen.fillRect(bead.x - 1.5, y - 2.5, 5, 5);
    return;
  }
  pen.beginPath();
  pen.arc(bead.x + 1, y, 2.75, 0, Math.PI * 2);
  pen.fill();
  if (!spans.has(bead.span, 'changed')) return;
  pen.fillStyle = css.ground;
  pen.beginPath();
  pen.arc(bead.x + 1, y, 1.25, 0, Math.PI * 2);
  pen.fill();
}

/** More counts than this in one picture have no words, because words are slow to paint. The tooltip has their number. */
const mostWords = 150;

/** Writes how many calls and hooks have no place in their row: `+45`. Their stretch is painted with the bars. */
export function paintHidden(pen: Pen, hidden: readonly HiddenCalls[], laneHeight: LaneHeight, { css }: Palette): void {
  if (laneHeight === 2 || hidden.length > mostWords) return;
  const full = laneHeight === 24;
  for (const { count, left, right, y } of hidden) {
    const text = `+${count}`;
    const room = text.length * letterPx + 5;
    if (!full && right - left < room) continue;
    pen.fillStyle = css.band;
    pen.fillRect(left, y + (full ? 2 : 1), room, full ? 11 : 10);
    pen.fillStyle = css.ink;
    pen.fillText(text, left + 2, y + (full ? 8 : 6.5));
  }
}

/** Paints a flag at the start of a bar, with its word if the bar has room for it. */
export function paintFlag(pen: Pen, { x, y, width, paint, word }: PlacedFlag, { css }: Palette): void {
  const room = word.length * letterPx + 8;
  pen.fillStyle = css[paint];
  if (word === '' || room > width) {
    pen.beginPath();
    pen.moveTo(x, y - 2);
    pen.lineTo(x + 8, y + 1.5);
    pen.lineTo(x, y + 5);
    pen.closePath();
    pen.fill();
    return;
  }
  pen.fillRect(x, y - 2, room, 13);
  pen.fillStyle = css.ground;
  pen.fillText(word, x + 4, y + 5);
}

/** Paints a triangle with an exclamation mark at the start of the failed bar. */
function paintErrorMark(pen: Pen, x: number, y: number, { css }: Palette): void {
  pen.fillStyle = css.bad;
  pen.beginPath();
  pen.moveTo(x - 5, y + 11);
  pen.lineTo(x + 5, y + 11);
  pen.lineTo(x, y + 1);
  pen.closePath();
  pen.fill();
  pen.fillStyle = css.ground;
  pen.fillRect(x - 0.75, y + 4.5, 1.5, 3);
  pen.fillRect(x - 0.75, y + 8.5, 1.5, 1.5);
}

/** Paints two sheets, one over the other, because the answer came from the cache. */
function paintStack(pen: Pen, x: number, y: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.strokeRect(x + 0.5, y - 1.5, 6, 5);
  pen.beginPath();
  pen.moveTo(x + 2.5, y - 4.5);
  pen.lineTo(x + 9.5, y - 4.5);
  pen.lineTo(x + 9.5, y + 1.5);
  pen.stroke();
}

/** Paints a circle with a bar through it. */
function paintBarred(pen: Pen, x: number, y: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x + 5, y, 4.5, 0, Math.PI * 2);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x + 2, y + 3);
  pen.lineTo(x + 8, y - 3);
  pen.stroke();
}
