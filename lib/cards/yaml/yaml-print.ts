import type { Json, JsonObject } from '@/lib/base/json';
import { isPlainString } from './pyyaml';

/**
 * Prints values as YAML 1.1, to insert them into a file. Lists and mappings become blocks, except empty ones, points
 * (`{ x: 10, y: 20 }`) and lists of numbers. Text of several lines becomes a `|` block.
 */
export interface YamlStyle {
  readonly eol: '\n' | '\r\n';
  /** The indentation of a nested mapping, in spaces. */
  readonly step: number;
  /** The indentation of the dashes of a list below its key, in spaces. */
  readonly dash: number;
}

export type Quote = 'single' | 'double' | undefined;

/** Returns the lines of `key: value`. The first has no indentation, the others have `indent`. */
export function pairLines(key: string, value: Json, indent: number, style: YamlStyle): string[] {
  const name = printScalar(key, { flow: false, key: true });
  const block = blockLines(value, indent, style);
  return block === undefined ? [`${name}: ${printFlow(value)}`] : [`${name}:${block.head}`, ...block.lines];
}

/** Returns the lines of `- value`. The first has no indentation. */
export function itemLines(value: Json, indent: number, style: YamlStyle): string[] {
  const [first = '', ...rest] = entryLines(value, indent, style);
  return [`- ${first}`, ...rest];
}

/** Returns the lines after a dash at column `indent`. The first has no indentation, the others have theirs. */
export function entryLines(value: Json, indent: number, style: YamlStyle): string[] {
  if (isJsonObject(value) && !isInline(value)) return mapLines(value, indent + 2, style);
  if (typeof value === 'string') {
    const literal = literalLines(value, indent + 2);
    if (literal !== undefined) return [literal.head, ...literal.lines];
  }
  return [printFlow(value)];
}

/**
 * Returns the text after `key:` for a value that is not on the line of the key. `head` ends that line (`''` or ` |-`), and
 * `lines` follow. Returns `undefined` if the value fits on the line.
 */
export function blockLines(
  value: Json,
  indent: number,
  style: YamlStyle,
  contentIndent = indent + style.step,
): { readonly head: string; readonly lines: readonly string[] } | undefined {
  if (typeof value === 'string') {
    const literal = literalLines(value, contentIndent);
    return literal === undefined ? undefined : { head: ` ${literal.head}`, lines: literal.lines };
  }
  if (isInline(value)) return undefined;
  if (isList(value)) {
    const column = indent + style.dash;
    return { head: '', lines: value.flatMap((item) => indentFirst(itemLines(item, column, style), column)) };
  }
  if (isJsonObject(value)) {
    const column = indent + style.step;
    return { head: '', lines: indentFirst(mapLines(value, column, style), column) };
  }
  return undefined;
}

/** Prints a value on one line. The result is also valid inside flow collections. */
export function printFlow(value: Json, quote?: Quote): string {
  if (isList(value)) return `[${value.map((item) => printInFlow(item)).join(', ')}]`;
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(
      ([key, item]) => `${printScalar(key, { flow: true, key: true })}: ${printInFlow(item)}`,
    );
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  return printScalar(value, { flow: false, key: false }, quote);
}

/** Prints a value inside brackets or braces, where commas and brackets need quotes. */
export function printInFlow(value: Json, quote?: Quote): string {
  if (typeof value === 'object' && value !== null) return printFlow(value);
  return printScalar(value, { flow: true, key: false }, quote);
}

export function printKey(key: string, flow: boolean, quote?: Quote): string {
  return printScalar(key, { flow, key: true }, quote);
}

/** True when a value is printed on the line of its key. */
export function isInline(value: Json): boolean {
  if (isList(value))
    return value.length === 0 || value.every((item) => typeof item === 'number' || typeof item === 'bigint');
  if (isJsonObject(value)) {
    const keys = Object.keys(value);
    return keys.length === 0 || (keys.length === 2 && typeof value.x === 'number' && typeof value.y === 'number');
  }
  return typeof value !== 'string' || !value.includes('\n');
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapLines(value: JsonObject, indent: number, style: YamlStyle): string[] {
  const [first = '', ...rest] = Object.entries(value).flatMap(([key, item]) =>
    indentFirst(pairLines(key, item, indent, style), indent),
  );
  return [first.slice(indent), ...rest];
}

function indentFirst([first = '', ...rest]: readonly string[], indent: number): string[] {
  return [' '.repeat(indent) + first, ...rest];
}

/**
 * Returns a `|` block for text that ends in one newline, and `|-` for text without one. Returns `undefined` if the text
 * needs quotes.
 */
function literalLines(text: string, indent: number): { head: string; lines: string[] } | undefined {
  if (!text.includes('\n') || !isPrintable(text) || /\n\n$/.test(text) || text.trim() === '') return undefined;
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const rows = body.split('\n');
  if (rows.some((row) => row !== '' && row.trim() === '')) return undefined;
  const firstRow = rows.find((row) => row !== '') ?? '';
  // YAML takes the indentation of the block from the first line.
  if (/^[ \t]/.test(firstRow)) return undefined;
  const pad = ' '.repeat(indent);
  return { head: `|${text.endsWith('\n') ? '' : '-'}`, lines: rows.map((row) => (row === '' ? '' : pad + row)) };
}

function printScalar(value: Json, where: { readonly flow: boolean; readonly key: boolean }, quote?: Quote): string {
  if (typeof value === 'number') return printNumber(value);
  if (typeof value !== 'string') return String(value);
  if (quote === 'double' || !isPrintable(value) || value.includes('\n')) return doubleQuoted(value);
  if (quote === 'single') return singleQuoted(value);
  return isSafePlain(value, where) ? value : doubleQuoted(value);
}

/**
 * Prints a number. PyYAML requires a dot in floats, so `1e+21` would be a string. JavaScript rounds the digits of large integers, so 2^64 would
 * be read as another one.
 */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
  const text = Object.is(value, -0) ? '0' : String(value);
  if (!text.includes('e')) return Number.isInteger(value) ? BigInt(value).toString() : text;
  return text.includes('.') ? text : text.replace('e', '.0e');
}

/** True for text that is read as another value, or not at all, when it is written without quotes. */
export function needsQuotes(text: string, flow: boolean): boolean {
  return !isSafePlain(text, { flow, key: false });
}

function isSafePlain(text: string, where: { readonly flow: boolean; readonly key: boolean }): boolean {
  if (text === '' || text !== text.trim() || text.includes('\t') || !isPlainString(text)) return false;
  // Also quotes text that YAML 1.2, JSON or a human reader might take for a number.
  if (/^[-+]?[.\d][\d_.,:eE+-]*$/.test(text) || /^0[xob][\da-fA-F_]+$/.test(text)) return false;
  if (/^[\s,[\]{}#&*!|>'"%@`]/.test(text) || /^[-?:](?:\s|$)/.test(text)) return false;
  if (/^(?:---|\.\.\.)/.test(text) || text === '<<') return false;
  if (/:(?:\s|$)/.test(text) || /\s#/.test(text)) return false;
  return !(where.flow && (/[,[\]{}?]/.test(text) || /^[-?:]/.test(text)));
}

/** False for characters that need double quotes: controls, lone surrogates, unusual line ends, a BOM. */
function isPrintable(text: string): boolean {
  for (const char of text) if (isOdd(char.codePointAt(0) ?? 0)) return false;
  return true;
}

function isOdd(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a;
  if (code < 0x7f) return false;
  return code < 0xa0 || [0x2028, 0x2029, 0xfeff, 0xfffe, 0xffff].includes(code) || (code >= 0xd800 && code <= 0xdfff);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Prints a string in double quotes. YAML supports JSON's escapes, but some further characters must be escaped. */
function doubleQuoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return isOdd(code) && !(code >= 0xd800 && code <= 0xdfff) ? `\\u${code.toString(16).padStart(4, '0')}` : unit;
  });
}
