/**
 * Paints what the timeline shows as one picture: all rows and not only those on the screen, in the present time window.
 *
 *   title                                          Callboard
 *   Completed · 4.12 s · 1,130 tokens · 22 Nov 2026, 00:52
 *   ┌ names ──────┬ axis ───────────────────────────┐
 *   │ lead  4.1 s │ bars, painted as in the page    │
 *   └─────────────┴─────────────────────────────────┘
 *   legend
 */
import { legendKinds } from '@/components/timeline/legend-kinds';
import { paintBars, type Scene } from '@/components/timeline/paint-bars';
import { paintAxis, paintLabels } from '@/components/timeline/paint-labels';
import type { Pen } from '@/components/timeline/pen';
import { rowsOfView } from '@/components/timeline/rows-of-view';
import { TimeAxis, ticksOf } from '@/components/timeline/time-scale';
import { axisPx } from '@/components/timeline/timeline-height';
import type { TimelinePicture } from '@/components/timeline/timeline-props';
import { laneHeights, type Rows } from '@/lib/trace/lanes';
import { cutText } from './cut-text';
import { paintNames } from './paint-names';
import { type PictureWords, pictureWords } from './picture-words';
import { type Box, picturePixels, type Surface } from './surface';

const widthPx = 1440;
const marginPx = 24;
const headPx = 50;
const notesPx = 18;
const namesPx = 264;
const legendPx = 36;
const tickApartPx = 96;
/** Browsers refuse a canvas that is higher than 16,384 pixels. */
export const mostRowsPx = 7_900;

/** A picture that is ready to be painted. */
export interface PicturePlan {
  readonly width: number;
  readonly height: number;
  readonly words: PictureWords;
  readonly rows: Rows;
  readonly source: TimelinePicture;
}

/**
 * Decides what a picture has and how high it is. Rows are as high as in the page, or as high as possible if the page chooses.
 * Returns a sentence for users if there is nothing to paint or too much.
 */
export function planPicture(source: TimelinePicture): PicturePlan | { readonly refused: string } {
  const { trace, view, only, laneHeight, now, palette } = source;
  const heights = laneHeight === 'auto' ? laneHeights.toReversed() : [laneHeight];
  const choices = heights.map((height) => rowsOfView(trace, view, { height, roomPx: 0, only }, now));
  const rows = choices.find((one) => heightOf(one) <= mostRowsPx);
  if (palette === undefined || choices.every(({ lanes }) => lanes.length === 0)) {
    return { refused: 'There is nothing to paint: no instance shows. Clear the filter, then try again.' };
  }
  if (rows === undefined) {
    const high = heightOf(choices.at(-1)).toLocaleString('en-US');
    const lower = laneHeight === 'auto' || laneHeight === 2 ? '' : ', or choose lower rows';
    return {
      refused: `The picture would be ${high} pixels high, and at most ${mostRowsPx.toLocaleString('en-US')} can be saved. Fold or filter instances${lower}, then try again.`,
    };
  }
  const words = pictureWords(source, rows);
  const head = marginPx + headPx + (words.notes === '' ? 0 : notesPx);
  return { width: widthPx, height: head + axisPx + heightOf(rows) + legendPx + marginPx, words, rows, source };
}

function heightOf(rows: Rows | undefined): number {
  return rows?.tops[rows.lanes.length] ?? 0;
}

export function paintPicture(surface: Surface, plan: PicturePlan): void {
  const { words, rows, source, width } = plan;
  const { palette, font, trace, window, scale, moment } = source;
  if (palette === undefined) return;
  const { css } = palette;
  surface.words({ x: marginPx, y: marginPx, width: width - 2 * marginPx, height: headPx + notesPx }, (pen) =>
    paintHead(pen, plan, (text, look) => surface.textWidth(text, look)),
  );
  const top = marginPx + headPx + (words.notes === '' ? 0 : notesPx);
  const barsTop = top + axisPx;
  const high = heightOf(rows);
  const left = marginPx + namesPx;
  const bars: Box = { x: left, y: barsTop, width: width - left - marginPx, height: high };
  const scene: Scene = {
    ...{
      trace,
      rows,
      window,
      scale,
      now: source.now,
      width: bars.width,
      height: high,
      scrollTop: 0,
      dpr: picturePixels,
    },
    ...{ selected: undefined, hovered: undefined, activeLane: undefined },
    ...{ highlight: source.highlight, spanMarks: source.marks },
    ticks: ticksOf(window, scale, bars.width, tickApartPx),
  };
  surface.words({ ...bars, y: top, height: axisPx }, (pen) => {
    paintAxis(pen, { scene, height: axisPx, now: undefined, zero: undefined }, palette, font);
  });
  const painted = surface.bars(bars, (sink) => paintBars(sink, scene));
  surface.words(bars, (pen) => {
    paintLabels(pen, scene, painted, palette, font);
    if (moment === undefined) return;
    pen.fillStyle = css.accent;
    pen.fillRect(new TimeAxis(window, bars.width, scale).x(moment) - 0.75, 0, 1.5, high);
  });
  const names: Box = { x: marginPx, y: barsTop, width: namesPx, height: high };
  surface.words(names, (pen) => paintNames(pen, source, rows, namesPx, (text, look) => surface.textWidth(text, look)));
  surface.words({ x: marginPx, y: top, width: width - 2 * marginPx, height: axisPx + high }, (pen) => {
    pen.strokeStyle = css.rule;
    pen.lineWidth = 1;
    pen.strokeRect(0.5, 0.5, width - 2 * marginPx - 1, axisPx + high - 1);
    pen.fillStyle = css.rule;
    pen.fillRect(0, axisPx - 1, width, 1);
    pen.fillRect(namesPx - 1, 0, 1, axisPx + high);
    pen.fillStyle = css.muted;
    pen.font = `11px ${font}`;
    pen.textBaseline = 'middle';
    pen.fillText(words.instances, 10, axisPx / 2);
  });
  surface.words({ x: marginPx, y: barsTop + high, width: width - 2 * marginPx, height: legendPx }, (pen) =>
    paintLegend(pen, source, (text, look) => surface.textWidth(text, look)),
  );
}

function paintHead(pen: Pen, { words, source, width }: PicturePlan, textWidth: Surface['textWidth']): void {
  const { palette, font } = source;
  if (palette === undefined) return;
  const right = width - 2 * marginPx;
  const big = `600 18px ${font}`;
  const small = `12px ${font}`;
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  pen.font = big;
  pen.fillStyle = palette.css.ink;
  pen.fillText(
    cutText(words.title, right - 120, (text) => textWidth(text, big)),
    0,
    9,
  );
  pen.font = small;
  pen.fillStyle = palette.css.muted;
  pen.fillText(words.facts, 0, 31);
  pen.fillText(
    cutText(words.notes, right, (text) => textWidth(text, small)),
    0,
    31 + notesPx,
  );
  pen.textAlign = 'right';
  pen.fillText('Callboard', right, 9);
  pen.textAlign = 'left';
}

/** Paints the meaning of the colours, as the legend of the page has them. */
function paintLegend(pen: Pen, { palette, font, trace }: TimelinePicture, textWidth: Surface['textWidth']): void {
  if (palette === undefined) return;
  const { css } = palette;
  const look = `11px ${font}`;
  const middle = legendPx / 2 + 4;
  pen.font = look;
  pen.textBaseline = 'middle';
  let x = 0;
  const name = (text: string) => {
    pen.fillStyle = css.muted;
    pen.fillText(text, x + 20, middle);
    x += 20 + Math.ceil(textWidth(text, look)) + 20;
  };
  for (const kind of legendKinds) {
    pen.fillStyle = css[kind.paint];
    if (kind.look === 'bar') pen.fillRect(x, middle - 5, 14, 10);
    else if (kind.look === 'line') pen.fillRect(x, middle - 1.5, 14, 3);
    else for (const dash of [0, 5, 10]) pen.fillRect(x + dash, middle - 0.5, 3, 1);
    name(kind.name);
  }
  if (trace.lanes.every(({ decisions }) => decisions.length === 0)) return;
  pen.strokeStyle = css.accent;
  pen.lineWidth = 1;
  pen.strokeRect(x + 1.5, middle - 5.5, 11, 11);
  pen.fillStyle = css.accent;
  pen.beginPath();
  for (const [dx, dy] of [
    [0, -4],
    [4, 0],
    [0, 4],
    [-4, 0],
  ] as const)
    pen.lineTo(x + 7 + dx, middle + dy);
  pen.closePath();
  pen.fill();
  name('Decision');
}
