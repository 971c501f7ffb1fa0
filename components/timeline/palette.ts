/** The paints of bars, each with the design token (app/globals.css) that gives its colour in this theme. */
export const paintTokens = {
  ground: '--surface',
  band: '--ground',
  rule: '--line',
  selectedRow: '--accent-soft',
  instance: '--agent-soft',
  instanceBad: '--bad-soft',
  delegation: '--agent',
  queued: '--queued-soft',
  queuedEdge: '--queued',
  model: '--model',
  mcp: '--server',
  function: '--function',
  runtime: '--builtin',
  hook: '--hook',
  setup: '--setup',
  ok: '--ok',
  bad: '--bad',
  warn: '--warn',
  warnSoft: '--warn-soft',
  busy: '--busy',
  accent: '--accent',
  onBar: '--accent-ink',
  ink: '--ink',
  muted: '--muted',
} as const;
export type Paint = keyof typeof paintTokens;
export const paints: readonly Paint[] = Object.keys(paintTokens).filter((name): name is Paint => name in paintTokens);

export interface Palette {
  /** CSS colours, for text and outlines. */
  readonly css: Readonly<Record<Paint, string>>;
  /**
   * The same colours by index of `paints`, as little-endian RGBA words, for the pixel buffer. The second half has them dimmed:
   * mixed with the ground, at the index that `dimmed` returns.
   */
  readonly words: Uint32Array;
}

/** Builds the palette. `readToken('--ink')` returns the token's text, a colour of the form `#rgb` or `#rrggbb`. */
export function buildPalette(readToken: (token: string) => string): Palette {
  const css = { ...paintTokens } as Record<Paint, string>;
  const words = new Uint32Array(paints.length * 2);
  for (const [i, paint] of paints.entries()) {
    const text = readToken(paintTokens[paint]).trim();
    css[paint] = text === '' ? '#888888' : text;
    words[i] = wordOf(css[paint]);
    words[dimmed(i)] = mix(words[paintIndex('ground')] ?? 0, words[i] ?? 0, dimShare);
  }
  return { css, words };
}

export function paintIndex(paint: Paint): number {
  return paints.indexOf(paint);
}

/** Returns the index of a paint's dimmed word, given the index of the paint. */
export function dimmed(paint: number): number {
  return paints.length + paint;
}

/** Returns the CSS colour of a paint of a `BarSink`, which may be a dimmed one. */
export function paintColour({ words }: Palette, paint: number): string {
  const word = words[paint] ?? 0;
  const rgb = ((word & 255) << 16) | (word & 0xff00) | ((word >>> 16) & 255);
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

/** The share of its own colour that a dimmed bar keeps. */
const dimShare = 0.22;

/** Mixes two RGBA words; `share` is that of `over`. */
function mix(ground: number, over: number, share: number): number {
  let word = 0xff000000;
  for (const shift of [0, 8, 16]) {
    const from = (ground >>> shift) & 255;
    word |= Math.round(from + (((over >>> shift) & 255) - from) * share) << shift;
  }
  return word >>> 0;
}

function wordOf(hex: string): number {
  const digits = hex.replace('#', '');
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits.slice(0, 6);
  const rgb = Number.parseInt(long, 16);
  const [red, green, blue] = Number.isNaN(rgb) ? [136, 136, 136] : [rgb >>> 16, (rgb >>> 8) & 255, rgb & 255];
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
