import type { BarSink } from '@/components/timeline/paint-bar';
import type { Pen } from '@/components/timeline/pen';

/** A part of a picture, in CSS pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The pixels of a saved picture for each CSS pixel. */
export const picturePixels = 2;

/** What a picture is painted on: a canvas, or the text of an SVG file. */
export interface Surface {
  /** Paints words and lines. The origin of the pen is the corner of `box`, and nothing outside of `box` shows. */
  words(box: Box, paint: (pen: Pen) => void): void;
  /** Paints rectangles. A unit of the sink is a pixel: there are `picturePixels` for each CSS pixel. */
  bars<T>(box: Box, paint: (sink: BarSink) => T): T;
  /** Returns the width of a text in CSS pixels. `font` is as in CSS. */
  textWidth(text: string, font: string): number;
}
