import { splitSource } from '@/lib/cards/source';

/** Where the cursor is in front matter or a YAML file, also while the text around it is half typed. */
export interface CodePlace {
  /** The keys around the place, from the outside in. An item of a list is `-`. For a key, its own name is not part of it. */
  readonly path: readonly string[];
  /**
   * `key`: a key of a mapping. `value`: the value of the last key of `path`. `item`: an entry of a list, which may be a
   * name or a key.
   */
  readonly at: 'key' | 'value' | 'item';
  /** The word at the cursor, without quotes. */
  readonly word: string;
  /** The range of the word in the text. */
  readonly from: number;
  readonly to: number;
  /** True if a colon follows, so that the word is the key of something. */
  readonly isKey: boolean;
  /** The other keys of the mapping, or the other entries of the list. */
  readonly siblings: ReadonlySet<string>;
}

interface Frame {
  readonly indent: number;
  /** A key, or `-`. */
  readonly name: string;
  /** The keys and plain entries below it. */
  readonly below: string[];
}

/** A place without its siblings. `inFlow` is true inside of `[…]` and `{…}`. */
type FoundPlace = Omit<CodePlace, 'siblings'> & { readonly inFlow: boolean };

interface Line {
  readonly start: number;
  readonly text: string;
}

const delimiter = /[\s,[\]{}"'#]/;

/**
 * Finds the place of an offset from the indentation of the lines, without parsing, so that it works in text that is no YAML
 * yet. Returns `undefined` outside of YAML, in comments and in text blocks (`|`, `>`).
 */
export function codePlaceAt(text: string, file: string, offset: number): CodePlace | undefined {
  const region = yamlRegion(text, file);
  if (region === undefined || offset < region.from || offset > region.to) return undefined;
  const lines = linesOf(text, region.from, region.to);
  const row = lines.findLastIndex(({ start }) => start <= offset);
  const here = lines[row];
  if (here === undefined) return undefined;
  const column = offset - here.start;
  if (/(?:^|\s)#/.test(here.text.slice(0, column))) return undefined;
  const root: Frame = { indent: -1, name: '', below: [] };
  const stack = [root];
  let block: number | undefined;
  let found: FoundPlace | undefined;
  let frame: Frame | undefined;
  for (const [index, line] of lines.entries()) {
    const isHere = index === row;
    const blank = line.text.trim() === '';
    const indent = blank && isHere ? column : line.text.length - line.text.trimStart().length;
    if (block !== undefined && (indent > block || (blank && !isHere))) {
      if (isHere) return undefined;
      continue;
    }
    block = undefined;
    if ((blank && !isHere) || line.text.trimStart().startsWith('#')) continue;
    const parts = partsOf(line.text, blank ? column : undefined);
    for (const dash of parts.dashes) {
      if (isHere && dash >= column) break;
      pop(stack, (top) => top.indent > dash || (top.indent === dash && top.name === '-'));
      stack.push({ indent: dash, name: '-', below: [] });
    }
    pop(stack, (top) => top.indent >= parts.at && !(top.name === '-' && top.indent < parts.at));
    const around = stack.at(-1) ?? root;
    // The plain entries of a list are kept with its key, because each dash is a frame of its own.
    const list = around.name === '-' ? (stack.at(-2) ?? root) : around;
    if (isHere) {
      found = placeIn(line, column, parts, stack);
      frame = found.at === 'item' ? list : around;
    } else if (parts.key !== undefined) around.below.push(parts.key);
    else if (parts.rest !== '') list.below.push(unquoted(parts.rest));
    if (parts.key === undefined) continue;
    stack.push({ indent: parts.at, name: parts.key, below: [] });
    if (/^[|>][-+\d]*\s*(?:#.*)?$/.test(parts.rest)) block = parts.at;
  }
  if (found === undefined) return undefined;
  const { inFlow, ...place } = found;
  const siblings = inFlow ? flowEntries(here, found) : found.at === 'value' ? [] : (frame?.below ?? []);
  return { ...place, siblings: new Set(siblings) };
}

/** Returns the range that is YAML. Front matter without a closing line reaches to the end. */
function yamlRegion(text: string, file: string): { readonly from: number; readonly to: number } | undefined {
  const source = splitSource(file, text);
  if (source.yaml !== undefined) {
    return { from: source.yaml.offset, to: source.yaml.offset + source.yaml.text.length };
  }
  const open = source.fence === '---' ? /^\uFEFF?\s*---[ \t]*\r?\n/.exec(text) : null;
  return open === null ? undefined : { from: open[0].length, to: text.length };
}

function linesOf(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start <= to) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 || end > to ? to : end;
    lines.push({ start, text: text.slice(start, stop).replace(/\r$/, '') });
    start = stop + 1;
  }
  return lines;
}

interface Parts {
  /** The columns of the dashes before the content. */
  readonly dashes: readonly number[];
  /** The column of the content. */
  readonly at: number;
  readonly key: string | undefined;
  /** The column of the value after the key. */
  readonly valueAt: number;
  /** The value after the key, or the content of a line without one. */
  readonly rest: string;
}

/** Splits a line in dashes, key and value. `column` is the place of the cursor in a blank line. */
function partsOf(text: string, column: number | undefined): Parts {
  if (column !== undefined) return { dashes: [], at: column, key: undefined, valueAt: column, rest: '' };
  const dashes: number[] = [];
  let at = text.length - text.trimStart().length;
  for (let dash = /^-(?:[ \t]+|$)/.exec(text.slice(at)); dash !== null; dash = /^-(?:[ \t]+|$)/.exec(text.slice(at))) {
    dashes.push(at);
    at += dash[0].length === 1 ? 2 : dash[0].length;
  }
  const content = text.slice(at);
  const key = /^("[^"]*"|'[^']*'|[^\s#"'[{][^#]*?)[ \t]*:(?:[ \t]+|$)/.exec(content);
  if (key === null) return { dashes, at, key: undefined, valueAt: at, rest: content.trim() };
  const valueAt = at + key[0].length;
  return { dashes, at, key: unquoted(key[1] ?? ''), valueAt, rest: text.slice(valueAt).trim() };
}

function placeIn(line: Line, column: number, parts: Parts, stack: readonly Frame[]): FoundPlace {
  const path = stack.slice(1).map(({ name }) => name);
  const { from, to, isKey } = wordAt(line.text, column);
  const word = { word: line.text.slice(from, to), from: line.start + from, to: line.start + to };
  const inValue = parts.key !== undefined && column >= parts.valueAt;
  const flowFrom = parts.key === undefined ? parts.at : parts.valueAt;
  const outer = inValue && parts.key !== undefined ? [...path, parts.key] : path;
  const flow = column >= flowFrom ? flowPath(line.text.slice(flowFrom, column)) : undefined;
  if (flow !== undefined) return { ...word, isKey, path: [...outer, ...flow.path], at: flow.at, inFlow: true };
  if (inValue) return { ...word, isKey: false, path: outer, at: 'value', inFlow: false };
  if (parts.key === undefined && path.at(-1) === '-') return { ...word, isKey: false, path, at: 'item', inFlow: false };
  return { ...word, isKey: parts.key !== undefined, path, at: 'key', inFlow: false };
}

/** Returns the brackets that are open at the end of a flow collection on one line, `[a, {b: `. */
function flowPath(text: string): { readonly path: string[]; readonly at: CodePlace['at'] } | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const open: { readonly sign: string; key: string | undefined; word: string }[] = [];
  let quote = '';
  for (const char of text) {
    const top = open.at(-1);
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (top !== undefined) top.word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '[' || char === '{') open.push({ sign: char, key: undefined, word: '' });
    else if (char === ']' || char === '}') open.pop();
    else if (top === undefined) return undefined;
    else if (char === ',') {
      top.key = undefined;
      top.word = '';
    } else if (top.sign === '{' && /\s/.test(char) && top.word.endsWith(':')) {
      top.key = top.word.slice(0, -1).trim();
      top.word = '';
    } else top.word += char;
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const path = open.flatMap(({ sign, key }) => (sign === '[' ? ['-'] : key === undefined ? [] : [key]));
  return { path, at: last.sign === '[' ? 'item' : last.key === undefined ? 'key' : 'value' };
}

/** Returns the names in the brackets around a word of a flow collection. */
function flowEntries({ start, text }: Line, place: FoundPlace): string[] {
  if (place.at === 'value') return [];
  const [from, to] = [place.from - start, place.to - start];
  const open = Math.max(text.lastIndexOf('[', from - 1), text.lastIndexOf('{', from - 1));
  const close = /[\]}]/.exec(text.slice(to));
  const end = close === null ? text.length : to + close.index;
  const before = text
    .slice(open + 1, from)
    .split(',')
    .slice(0, -1);
  const after = text.slice(to, end).split(',').slice(1);
  return [...before, ...after].map((entry) => unquoted(entry.trim().replace(/:(?:\s.*)?$/, ''))).filter(Boolean);
}

function wordAt(line: string, column: number): { readonly from: number; readonly to: number; readonly isKey: boolean } {
  const ends = (at: number) => {
    const char = line.charAt(at);
    return char === '' || delimiter.test(char) || (char === ':' && !/\S/.test(line.charAt(at + 1)));
  };
  let from = column;
  while (from > 0 && !ends(from - 1)) from--;
  let to = column;
  while (!ends(to)) to++;
  return { from, to, isKey: /^["']?:(?:\s|$)/.test(line.slice(to)) };
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

function pop(stack: Frame[], isDone: (top: Frame) => boolean): void {
  while (stack.length > 1) {
    const top = stack.at(-1);
    if (top === undefined || !isDone(top)) return;
    stack.pop();
  }
}
