import { parseJson } from './json';

/** Why text that is JSON cannot be read: its nesting, or a number beyond the range of doubles, as it is written. */
export type JsonTrouble = { readonly kind: 'depth' } | { readonly kind: 'number'; readonly number: string };

const longest = 40;

/** Returns why `parseJson` does not read this text, or `undefined` if it reads it or the text is not JSON. */
export function jsonTrouble(text: string): JsonTrouble | undefined {
  if (parseJson(text) !== undefined || !isJsonText(text)) return undefined;
  const withoutStrings = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const number = withoutStrings.match(/-?\d[\d.eE+-]*/g)?.find((one) => !Number.isFinite(Number(one)));
  if (number === undefined) return { kind: 'depth' };
  return { kind: 'number', number: number.length > longest ? `${number.slice(0, longest)}…` : number };
}

/** Says the same as a clause: `it holds the number 1e999, …`. */
export function troubleClause(trouble: JsonTrouble): string {
  return trouble.kind === 'depth'
    ? 'it is nested too deeply'
    : `it holds the number ${trouble.number}, which is beyond the range of numbers here (about 1.8e308)`;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
