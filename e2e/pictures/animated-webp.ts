import type { Page } from '@playwright/test';

export interface Frame {
  /** A picture as PNG. All frames have the same even size. */
  readonly png: Buffer;
  readonly ms: number;
}

/** The changed part of a frame, as a lossless WebP file. Its corner is on even pixels, as the format wants it. */
interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly file: Buffer;
  readonly ms: number;
}

/**
 * Makes an animation that repeats for ever (WebP container, https://developers.google.com/speed/webp/docs/riff_container). The
 * browser of `page` encodes the frames; of each only the part that changed is kept, with its unchanged pixels transparent.
 */
export async function animatedWebp(page: Page, frames: readonly Frame[]): Promise<Buffer> {
  const patches: Patch[] = [];
  let size = { width: 0, height: 0 };
  for (const [index, { png, ms }] of frames.entries()) {
    const made = await page.evaluate(encodePatch, { png: png.toString('base64'), isFirst: index === 0 });
    size = made.size;
    const last = patches.at(-1);
    if (made.patch === undefined && last !== undefined) patches[patches.length - 1] = { ...last, ms: last.ms + ms };
    else if (made.patch !== undefined)
      patches.push({ ...made.patch, file: Buffer.from(made.patch.file, 'base64'), ms });
  }
  const animation = 2;
  const alpha = 16;
  const head = Buffer.alloc(10);
  head.writeUInt8(animation | alpha, 0);
  head.writeUIntLE(size.width - 1, 4, 3);
  head.writeUIntLE(size.height - 1, 7, 3);
  const body = [
    Buffer.from('WEBP'),
    chunk('VP8X', head),
    // A white ground, and no limit of repetitions.
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...patches.map((patch) => chunk('ANMF', frameOf(patch))),
  ];
  return chunk('RIFF', Buffer.concat(body));
}

function frameOf({ x, y, width, height, file, ms }: Patch): Buffer {
  const head = Buffer.alloc(16);
  head.writeUIntLE(x / 2, 0, 3);
  head.writeUIntLE(y / 2, 3, 3);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  head.writeUIntLE(ms, 12, 3);
  return Buffer.concat([head, picturesIn(file)]);
}

/** Returns the chunks of a still picture that hold its pixels. */
function picturesIn(file: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    if (name === 'VP8 ' || name === 'VP8L' || name === 'ALPH')
      kept.push(chunk(name, file.subarray(at + 8, at + 8 + length)));
    at += 8 + length + (length % 2);
  }
  return Buffer.concat(kept);
}

/** A chunk has its name, its length and its bytes, with a zero at the end if their number is odd. */
function chunk(name: string, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}

/** Runs in the browser. It keeps the frame before in `window`. */
async function encodePatch({ png, isFirst }: { readonly png: string; readonly isFirst: boolean }) {
  const binary = atob(png);
  const bitmap = await createImageBitmap(new Blob([Uint8Array.from(binary, (sign) => sign.charCodeAt(0))]));
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser has no canvas.');
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, width, height);
  // With 25 levels of each colour in place of 256 a file is less than half as large, and looks the same. White and black stay.
  const level = 255 / 24;
  for (const [at, value] of pixels.data.entries()) pixels.data[at] = Math.round(value / level) * level;
  const now = new Uint32Array(pixels.data.buffer.slice(0));
  const before: unknown = Reflect.get(window, 'frameBefore');
  Reflect.set(window, 'frameBefore', now);
  let [left, top, right, bottom] = [width, height, -1, -1];
  const words = new Uint32Array(pixels.data.buffer);
  for (const [at, word] of now.entries()) {
    if (!isFirst && before instanceof Uint32Array && before[at] === word) {
      words[at] = 0;
      continue;
    }
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return { size: { width, height }, patch: undefined };
  const [x, y] = [left - (left % 2), top - (top % 2)];
  const part = new OffscreenCanvas(right + 1 - x, bottom + 1 - y);
  part.getContext('2d')?.putImageData(pixels, -x, -y);
  const blob = await part.convertToBlob({ type: 'image/webp', quality: 1 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let file = '';
  for (const byte of bytes) file += String.fromCharCode(byte);
  return { size: { width, height }, patch: { x, y, width: part.width, height: part.height, file: btoa(file) } };
}
