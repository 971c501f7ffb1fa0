const signatures: readonly (readonly [type: string, at: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 8, 'WEBP'],
  ['image/avif', 4, 'ftypavif'],
  ['image/bmp', 0, 'BM'],
];

/**
 * Returns the media type of a raster image by its first bytes (https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern).
 * Returns `undefined` for anything else, also for SVG, which may hold scripts.
 */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return signatures.find(([, at, sign]) => head.startsWith(sign, at))?.[0];
}
