import type { BarSink } from '@/components/timeline/paint-bar';
import { type Palette, paintColour } from '@/components/timeline/palette';
import type { Pen } from '@/components/timeline/pen';
import { type Box, picturePixels, type Surface } from './surface';

/**
 * Writes a picture as SVG. Each part is an `<svg>` inside the picture, which gives it its origin, its scale and its edge.
 * Neighbours of one colour are one path, so that a picture of many bars stays small.
 */
export class SvgSurface implements Surface {
  private readonly parts: string[] = [];

  constructor(
    private readonly palette: Palette,
    readonly textWidth: Surface['textWidth'],
  ) {}

  words(box: Box, paint: (pen: Pen) => void): void {
    const pen = new SvgPen();
    paint(pen);
    this.parts.push(`<svg ${placeOf(box)}>${pen.shapes.join('')}</svg>`);
  }

  bars<T>(box: Box, paint: (sink: BarSink) => T): T {
    const sink = new SvgBars(this.palette);
    const painted = paint(sink);
    const view = `viewBox="0 0 ${box.width * picturePixels} ${box.height * picturePixels}"`;
    this.parts.push(`<svg ${placeOf(box)} ${view} shape-rendering="crispEdges">${sink.end()}</svg>`);
    return painted;
  }

  /** Returns the file. `title` and `about` are read to people who do not see the picture. */
  end(of: { readonly width: number; readonly height: number; readonly title: string; readonly about: string }): string {
    const size = `width="${of.width}" height="${of.height}" viewBox="0 0 ${of.width} ${of.height}"`;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size}>`,
      `<title>${escaped(of.title)}</title><desc>${escaped(of.about)}</desc>`,
      `<rect width="${of.width}" height="${of.height}" fill="${this.palette.css.ground}"/>`,
      ...this.parts,
      '</svg>\n',
    ].join('\n');
  }
}

/** Collects rectangles. Those of one colour that follow each other are one path. */
class SvgBars implements BarSink {
  private readonly paths: string[] = [];
  private readonly path: string[] = [];
  private paint = -1;

  constructor(private readonly palette: Palette) {}

  rect(x: number, y: number, width: number, height: number, paint: number): void {
    if (width <= 0 || height <= 0) return;
    if (paint !== this.paint) this.flush();
    this.paint = paint;
    this.path.push(`M${x} ${y}h${width}v${height}h${-width}z`);
  }

  end(): string {
    this.flush();
    return this.paths.join('');
  }

  private flush(): void {
    if (this.path.length > 0)
      this.paths.push(`<path fill="${paintColour(this.palette, this.paint)}" d="${this.path.join('')}"/>`);
    this.path.length = 0;
  }
}

/** Writes what a pen draws. Texts stand on their middle, as the painters of the timeline ask for. */
class SvgPen implements Pen {
  readonly shapes: string[] = [];
  fillStyle: Pen['fillStyle'] = '#000';
  strokeStyle: Pen['strokeStyle'] = '#000';
  lineWidth = 1;
  font = '11px sans-serif';
  textBaseline: CanvasTextBaseline = 'middle';
  textAlign: CanvasTextAlign = 'left';
  private path: string[] = [];

  fillText(text: string, x: number, y: number): void {
    const { weight, size, family } = readFont(this.font);
    const anchor =
      this.textAlign === 'right' ? ' text-anchor="end"' : this.textAlign === 'center' ? ' text-anchor="middle"' : '';
    const bold = weight === undefined ? '' : ` font-weight="${weight}"`;
    // Not every program knows `dominant-baseline`, so the baseline is moved by a third of the size.
    const look = `font-family="${escaped(family)}" font-size="${size}"${bold}${anchor} fill="${String(this.fillStyle)}"`;
    this.shapes.push(`<text x="${short(x)}" y="${short(y + size * 0.35)}" ${look}>${escaped(text)}</text>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.shapes.push(`<rect ${rectOf(x, y, width, height)} fill="${String(this.fillStyle)}"/>`);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.shapes.push(`<rect ${rectOf(x, y, width, height)} ${this.outline()}/>`);
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${short(x)} ${short(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`${this.path.length === 0 ? 'M' : 'L'}${short(x)} ${short(y)}`);
  }

  closePath(): void {
    this.path.push('z');
  }

  /** Draws a circle in two halves, because an arc of SVG cannot end where it began. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    const at = (angle: number) => `${short(x + Math.cos(angle) * radius)} ${short(y + Math.sin(angle) * radius)}`;
    const middle = (from + to) / 2;
    const half = `A${short(radius)} ${short(radius)} 0 0 1`;
    this.path.push(`${this.path.length === 0 ? 'M' : 'L'}${at(from)}${half} ${at(middle)}${half} ${at(to)}`);
  }

  fill(): void {
    this.shapes.push(`<path d="${this.path.join('')}" fill="${String(this.fillStyle)}"/>`);
  }

  stroke(): void {
    this.shapes.push(`<path d="${this.path.join('')}" ${this.outline()}/>`);
  }

  private outline(): string {
    return `fill="none" stroke="${String(this.strokeStyle)}" stroke-width="${this.lineWidth}"`;
  }
}

function placeOf({ x, y, width, height }: Box): string {
  return rectOf(x, y, width, height);
}

function rectOf(x: number, y: number, width: number, height: number): string {
  return `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

/** Reads a font as the painters write it: `600 12px Inter, sans-serif`. */
function readFont(font: string) {
  const match = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(font);
  return { weight: match?.[1], size: Number(match?.[2] ?? 11), family: match?.[3] ?? 'sans-serif' };
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** XML has no place for most control characters and for halves of surrogate pairs, not even escaped. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
