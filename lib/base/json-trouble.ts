import { parseJson } from './json';

/** Why text that is JSON cannot be read: its nesting, or a number beyond the range of doubles, as it is written. */
export type JsonTrouble = { readonly kind: 'depth' } | { readonly kind: 'number'; readonly number: string };

const longest = 40;

/** Returns why `parseJson` does not read this text, or `undefined` if it reads it or the text is not JSON. */
export function jsonTrouble(text: string): JsonTrouble | undefined {
  if (parseJson(text) !== undefined || !isJsonText(text)) return undefined;
  const number = infiniteNumber(text);
  if (number === undefined) return { kind: 'depth' };
  return { kind: 'number', number: number.length > longest ? `${number.slice(0, longest)}…` : number };
}

/** Says the same as a clause: `it holds the number 1e999, …`. */
export function troubleClause(trouble: JsonTrouble): string {
  return trouble.kind === 'depth'
    ? 'it is nested too deeply'
    : `it holds the number ${trouble.number}, which is beyond the range of numbers here (about 1.8e308)`;
}

/** Returns the first number of a JSON text that no double can hold. */
function infiniteNumber(text: string): string | undefined {
  const number = /-?\d[\d.eE+-]*/y;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === quote) at = endOfString(text, at);
    else if (char === minus || (char >= zero && char <= nine)) {
      number.lastIndex = at;
      const [found = ''] = number.exec(text) ?? [];
      if (!Number.isFinite(Number(found))) return found;
      at += found.length - 1;
    }
  }
  return undefined;
}

const [quote, minus, zero, nine, backslash] = [0x22, 0x2d, 0x30, 0x39, 0x5c];

/** Returns the index of the quote that ends the string at `start`. A pattern would overflow its stack in a string of some megabytes. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
