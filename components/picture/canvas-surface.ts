import type { BarSink } from '@/components/timeline/paint-bar';
import { type Palette, paintColour, paints } from '@/components/timeline/palette';
import type { Pen } from '@/components/timeline/pen';
import { type Box, picturePixels, type Surface } from './surface';

/** Paints a picture on a canvas that has `picturePixels` for each CSS pixel. */
export class CanvasSurface implements Surface {
  private readonly colours: readonly string[];

  constructor(
    private readonly context: CanvasRenderingContext2D,
    palette: Palette,
    readonly textWidth: Surface['textWidth'],
  ) {
    this.colours = Array.from({ length: paints.length * 2 }, (_, paint) => paintColour(palette, paint));
    context.fillStyle = palette.css.ground;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  }

  words(box: Box, paint: (pen: Pen) => void): void {
    this.inside(box, () => {
      this.context.scale(picturePixels, picturePixels);
      paint(this.context);
    });
  }

  bars<T>(box: Box, paint: (sink: BarSink) => T): T {
    const { context, colours } = this;
    return this.inside(box, () =>
      paint({
        rect(x, y, width, height, colour) {
          context.fillStyle = colours[colour] ?? '';
          context.fillRect(x, y, width, height);
        },
      }),
    );
  }

  private inside<T>(box: Box, paint: () => T): T {
    const { context } = this;
    context.save();
    context.translate(box.x * picturePixels, box.y * picturePixels);
    context.beginPath();
    context.rect(0, 0, box.width * picturePixels, box.height * picturePixels);
    context.clip();
    const painted = paint();
    context.restore();
    return painted;
  }
}
