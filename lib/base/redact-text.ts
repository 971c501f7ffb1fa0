import { parseJson } from './json';

/** A string in JSON text. `end` is the position after its closing quote, or the length of truncated text. */
interface Quoted {
  readonly end: number;
  readonly isCut: boolean;
}

/** A JSON string may itself contain JSON. Strings are searched down to this depth. */
const deepest = 8;

/**
 * Replaces the values of secret keys in text that may be JSON, a part of JSON, or contain JSON in a string. Reads each
 * character once per level of nested strings. Returns the same text when nothing is secret.
 */
export function redactedText(text: string, isSecret: (key: string) => boolean, marker: string, depth = 0): string {
  const parts: string[] = [];
  let done = 0;
  for (let at = text.indexOf('"'); at !== -1; ) {
    const quoted = quotedAt(text, at);
    const colon = skipSpaces(text, quoted.end);
    if (quoted.isCut || text.charAt(colon) !== ':') {
      const inner = innerText(text.slice(at, quoted.end), quoted, isSecret, marker, depth);
      if (inner !== undefined) {
        parts.push(text.slice(done, at), inner);
        done = quoted.end;
      }
      at = text.indexOf('"', quoted.end);
      continue;
    }
    const value = skipSpaces(text, colon + 1);
    if (isSecret(text.slice(at + 1, quoted.end - 1))) {
      const end = endOfValue(text, value);
      if (end > value) {
        parts.push(text.slice(done, value), `"${marker}"`);
        done = end;
      }
      at = text.indexOf('"', end);
    } else at = text.indexOf('"', value);
  }
  if (done === 0) return text;
  parts.push(text.slice(done));
  return parts.join('');
}

/** Redacts the JSON inside a string. Returns `undefined` when nothing in it is secret. */
function innerText(
  token: string,
  { isCut }: Quoted,
  isSecret: (key: string) => boolean,
  marker: string,
  depth: number,
): string | undefined {
  if (depth >= deepest || !token.includes('\\"')) return undefined;
  const whole = isCut ? `${withoutHalfEscape(token)}"` : token;
  const value = parseJson(whole);
  if (typeof value !== 'string') return undefined;
  const clean = redactedText(value, isSecret, marker, depth + 1);
  if (clean === value) return undefined;
  const written = JSON.stringify(clean);
  return isCut ? written.slice(0, -1) : written;
}

/** Removes the start of an escape, because truncated text may end within `\"` or `\u00e9`. */
function withoutHalfEscape(token: string): string {
  const tail = /\\(?:u[\da-fA-F]{0,3})?$/.exec(token.slice(-6));
  if (tail === null) return token;
  const start = token.length - tail[0].length;
  let slashes = 0;
  while (token.charAt(start - slashes) === '\\') slashes += 1;
  return slashes % 2 === 1 ? token.slice(0, start) : token;
}

function quotedAt(text: string, from: number): Quoted {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '"') return { end: at + 1, isCut: false };
  }
  return { end: text.length, isCut: true };
}

/** Returns the position after the value at `from`, which is a string, a list, a mapping or a word. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = quotedAt(text, at).end - 1;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') {
      if (depth === 0) return at;
      depth -= 1;
    } else if (depth > 0) continue;
    else if (char === ',' || /\s/.test(char)) return at;
    else continue;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}
