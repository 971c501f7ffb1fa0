import type { TimelinePicture } from '@/components/timeline/timeline-props';
import { saveBlob } from '@/components/ui/save-blob';
import { CanvasSurface } from './canvas-surface';
import { paintPicture, planPicture } from './paint-picture';
import { picturePixels } from './surface';
import { SvgSurface } from './svg-surface';

export type PictureForm = 'png' | 'svg';

/** An SVG file of more UTF-16 units than this takes programs too long to open. */
const longestSvg = 16_000_000;

/**
 * Saves what the timeline shows as a file. Resolves to `undefined`, or to a sentence for users that says why there is no file.
 * `name` is that of the file, without its extension.
 */
export async function savePicture(
  source: TimelinePicture,
  form: PictureForm,
  name: string,
): Promise<string | undefined> {
  const plan = planPicture(source);
  if ('refused' in plan) return plan.refused;
  const { palette } = source;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (palette === undefined || context === null) return noCanvas;
  const textWidth = (text: string, font: string) => {
    context.font = font;
    return context.measureText(text).width;
  };
  if (form === 'svg') {
    const surface = new SvgSurface(palette, textWidth);
    paintPicture(surface, plan);
    const about = [plan.words.facts, plan.words.notes, plan.words.instances].filter(Boolean).join('. ');
    const text = surface.end({ width: plan.width, height: plan.height, title: plan.words.title, about });
    if (text.length > longestSvg) {
      return 'The run has too many bars for an SVG file. Choose a part of the time, fold instances, or save a PNG file.';
    }
    saveBlob(new Blob([text], { type: 'image/svg+xml' }), `${name}.svg`);
    return undefined;
  }
  canvas.width = plan.width * picturePixels;
  canvas.height = plan.height * picturePixels;
  paintPicture(new CanvasSurface(context, palette, textWidth), plan);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) return noCanvas;
  saveBlob(blob, `${name}.png`);
  return undefined;
}

const noCanvas = 'The browser could not make a picture of this size. Fold instances, or save an SVG file.';
