import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paintTokens } from './palette';

const css = readFileSync('app/globals.css', 'utf8');
const themes = { light: ':root', dark: '[data-theme="dark"]' } as const;
const kinds = ['model', 'mcp', 'function', 'runtime', 'hook', 'setup', 'delegation'] as const;

/** Red, green and blue of a token in a theme, from 0 to 1. */
function colourOf(theme: keyof typeof themes, token: string): readonly [number, number, number] {
  const block = css.slice(css.indexOf(`${themes[theme]} {`));
  const hex = new RegExp(`${token}: #([0-9a-f]{6});`).exec(block)?.[1];
  if (hex === undefined) throw new Error(`${token} has no colour in the ${theme} theme.`);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [red, green, blue];
}

/** The hue in degrees, and how far the colour is from grey, from 0 to 1. */
function hueOf([red, green, blue]: readonly [number, number, number]) {
  const chroma = Math.max(red, green, blue) - Math.min(red, green, blue);
  const hue = (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
  return { hue: (hue + 360) % 360, chroma };
}

function apart(a: number, b: number): number {
  const between = Math.abs(a - b) % 360;
  return Math.min(between, 360 - between);
}

test.each(['light', 'dark'] as const)('no kind of step has the colour of an error or of a warning (%s)', (theme) => {
  for (const kind of kinds) {
    const { hue, chroma } = hueOf(colourOf(theme, paintTokens[kind]));
    for (const alarm of ['bad', 'warn'] as const) {
      const { hue: alarmHue } = hueOf(colourOf(theme, paintTokens[alarm]));
      // What is almost grey has no hue that could be taken for another one.
      if (chroma > 0.2) expect(apart(hue, alarmHue), `${kind} and ${alarm}`).toBeGreaterThan(25);
    }
  }
});

test.each(['light', 'dark'] as const)('waiting is paler than work (%s)', (theme) => {
  const queued = hueOf(colourOf(theme, paintTokens.queuedEdge)).chroma;
  for (const kind of ['model', 'mcp', 'function', 'hook'] as const) {
    expect(queued).toBeLessThan(hueOf(colourOf(theme, paintTokens[kind])).chroma / 2);
  }
});
