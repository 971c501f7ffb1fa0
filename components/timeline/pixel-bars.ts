import type { BarSink } from './paint-bar';

const shortPx = 24;

/**
 * Paints rectangles into an image buffer, because one `putImageData` a frame costs a tenth of a `fillRect` per bar.
 * Coordinates are whole device pixels and are clipped here.
 */
export class PixelBars implements BarSink {
  private pixels = new Uint32Array(0);
  private image: ImageData | undefined;
  private width = 0;
  private height = 0;

  constructor(private words: Uint32Array) {}

  /** Starts a frame. */
  begin(width: number, height: number, words: Uint32Array): void {
    this.words = words;
    if (width !== this.width || height !== this.height || this.image === undefined) {
      this.image = new ImageData(Math.max(width, 1), Math.max(height, 1));
      this.pixels = new Uint32Array(this.image.data.buffer);
      this.width = width;
      this.height = height;
    }
  }

  rect(x: number, y: number, width: number, height: number, paint: number): void {
    const left = Math.max(x, 0);
    const right = Math.min(x + width, this.width);
    if (left >= right) return;
    const top = Math.max(y, 0);
    const bottom = Math.min(y + height, this.height);
    const word = this.words[paint] ?? 0;
    for (let row = top; row < bottom; row++) {
      const base = row * this.width;
      // A call of `fill` costs more than the few pixels of a short bar.
      if (right - left > shortPx) this.pixels.fill(word, base + left, base + right);
      else for (let at = base + left; at < base + right; at++) this.pixels[at] = word;
    }
  }

  /** Ends a frame. */
  flush(context: CanvasRenderingContext2D): void {
    if (this.image !== undefined) context.putImageData(this.image, 0, 0);
  }
}
