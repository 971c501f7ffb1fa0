import { isAlias, isMap, isPair, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json } from '@/lib/base/json';
import {
  blockLines,
  entryLines,
  isInline,
  isJsonObject,
  isList,
  itemLines,
  needsQuotes,
  pairLines,
  printFlow,
  printInFlow,
  printKey,
  type Quote,
  type YamlStyle,
} from './yaml-print';

/**
 * Positions in a YAML text, and the cuts that change it. A cut replaces a range of the source; every character outside the
 * cuts stays the same.
 *
 *     servers:   # mine        slot: pair, colonEnd after `:`
 *       - time   # local       slot: item, dash before `time`, contentEnd after it
 *     ▲ column of the key
 */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type YamlPair = Pair<Node, Node | null>;
export type Collection = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/** The place of a value: after a key, or in a list. */
export type Slot =
  | { readonly in: 'map'; readonly parent: YAMLMap<Node, Node | null>; readonly pair: YamlPair; readonly flow: boolean }
  | { readonly in: 'seq'; readonly parent: YAMLSeq<Node>; readonly index: number; readonly flow: boolean };

/** Applies cuts. Overlapping deletions are merged; replacements must not overlap. */
export function applyCuts(text: string, cuts: readonly Cut[]): string {
  const sorted = cuts.map((cut, order) => ({ ...cut, order }));
  sorted.sort((a, b) => a.start - b.start || a.end - b.end || a.order - b.order);
  let result = '';
  let at = 0;
  for (const cut of sorted) {
    if (cut.start > at) result += text.slice(at, cut.start);
    result += cut.text;
    at = Math.max(at, cut.end);
  }
  return result + text.slice(at);
}

/** Thrown when a text cannot be changed in place, with the offset in the YAML text. */
export class CannotSplice extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export class Splicer {
  readonly text: string;
  readonly style: YamlStyle;

  constructor(text: string, style: YamlStyle) {
    this.text = text;
    this.style = style;
  }

  valueOf(slot: Slot): Node | null {
    return slot.in === 'map' ? slot.pair.value : (slot.parent.items[slot.index] ?? null);
  }

  /** Replaces a value by another one of any shape. */
  replace(slot: Slot, value: Json): Cut[] {
    const old = this.valueOf(slot);
    const quote = keptQuote(old, slot.flow);
    if (slot.flow) return [this.#replaceInFlow(slot, old, value, quote)];
    const below = this.#below(slot, value, old);
    const blank = isBlank(old);
    const oldStart = old?.range?.[0] ?? 0;
    if (below === undefined && !blank && !isBlockShaped(old)) {
      return [{ start: oldStart, end: this.contentEnd(old), text: printFlow(value, quote) }];
    }
    const start = this.#slotStart(slot);
    const end = blank ? start : this.contentEnd(old);
    const head = below === undefined ? ` ${printFlow(value, quote)}` : below.head;
    // A comment on the line of the key stays. Comments inside a replaced block are removed with it.
    const restFrom = isBlockCollection(old) ? start : end;
    const rest = this.text.slice(restFrom, this.lineEnd(restFrom)).trimEnd();
    const tail = isBlockCollection(old) && !/^\s*(?:#|$)/.test(rest) ? '' : rest;
    const lines =
      below === undefined || below.lines.length === 0 ? '' : this.style.eol + below.lines.join(this.style.eol);
    return [{ start, end: this.lineEnd(end), text: head + tail + lines }];
  }

  /** Adds pairs to a mapping, after `after`, or first when it is `undefined`. */
  addPairs(
    map: YAMLMap<Node, Node | null>,
    entries: readonly (readonly [string, Json])[],
    after: YamlPair | undefined,
  ): Cut {
    if (map.flow === true) {
      const texts = entries.map(([key, value]) => `${printKey(key, true)}: ${printInFlow(value)}`);
      return this.#addInFlow(map, texts, after === undefined ? 0 : map.items.indexOf(after) + 1);
    }
    const first = map.items[0];
    const indent = this.column(first?.key.range?.[0] ?? 0);
    const lines = entries.flatMap(([key, value]) => {
      const [head = '', ...rest] = pairLines(key, value, indent, this.style);
      return [' '.repeat(indent) + head, ...rest];
    });
    if (after !== undefined) return this.#linesAfter(this.pairEnd(after), lines);
    return this.#linesBefore(first?.key.range?.[0] ?? 0, lines, indent);
  }

  /** Adds entries to a list before `index`, or at its end. */
  addItems(seq: YAMLSeq<Node>, values: readonly Json[], index: number): Cut {
    if (seq.flow === true)
      return this.#addInFlow(
        seq,
        values.map((value) => printInFlow(value)),
        index,
      );
    const indent = this.column(this.dash(seq, 0));
    const lines = values.flatMap((value) => {
      const [head = '', ...rest] = itemLines(value, indent, this.style);
      return [' '.repeat(indent) + head, ...rest];
    });
    // The entry is added after the previous entry and not before the next one, so that a comment above the next entry stays
    // with it.
    if (index > 0) return this.#linesAfter(this.itemEnd(seq, index - 1), lines);
    return this.#linesBefore(this.dash(seq, 0), lines, indent);
  }

  /** Removes one of several entries of a collection. To remove the only entry, replace the collection by an empty one. */
  drop(slot: Slot): Cut {
    const count = slot.parent.items.length;
    const index = slot.in === 'map' ? slot.parent.items.indexOf(slot.pair) : slot.index;
    if (slot.flow) {
      const [start, end] = this.#flowSpan(slot.parent, index);
      if (index < count - 1) return { start, end: this.#flowSpan(slot.parent, index + 1)[0], text: '' };
      return { start: index === 0 ? start : this.#flowSpan(slot.parent, index - 1)[1], end, text: '' };
    }
    const start = slot.in === 'map' ? (slot.pair.key.range?.[0] ?? 0) : this.dash(slot.parent, index);
    const end = this.lineEnd(slot.in === 'map' ? this.pairEnd(slot.pair) : this.itemEnd(slot.parent, index));
    const lineStart = this.lineStart(start);
    if (this.text.slice(lineStart, start).trim() !== '') {
      // In `- a: 1` the next pair moves up to the dash.
      const next = index + 1 < count ? this.#startOf(slot.parent, index + 1) : end;
      return { start, end: next, text: '' };
    }
    if (end < this.text.length) return { start: lineStart, end: this.afterLineEnd(end), text: '' };
    return { start: this.beforeLineEnd(lineStart), end, text: '' };
  }

  /** Renames a key and keeps its quotes. */
  renameKey(pair: YamlPair, key: string, flow: boolean): Cut {
    const [start, end] = pair.key.range ?? [0, 0];
    return { start, end, text: printKey(key, flow, quoteOf(pair.key)) };
  }

  /** Reorders a list by moving the texts of entries. The text between entries stays. */
  move(seq: YAMLSeq<Node>, from: number, to: number): Cut[] {
    const spans = seq.items.map((_, index) =>
      seq.flow === true ? this.#flowSpan(seq, index) : this.#chunk(seq, index),
    );
    const order = spans.map((_, index) => index);
    order.splice(to, 0, ...order.splice(from, 1));
    return spans.flatMap(([start, end], place) => {
      const source = spans[order[place] ?? place];
      if (source === undefined || order[place] === place) return [];
      return [{ start, end, text: this.text.slice(source[0], source[1]) }];
    });
  }

  /** Returns the end of a node's text, without trailing comments and newlines. */
  contentEnd(node: Node | null): number {
    if (isMap<Node, Node | null>(node) && node.flow !== true) {
      const last = node.items.at(-1);
      return last === undefined ? (node.range?.[1] ?? 0) : this.pairEnd(last);
    }
    if (isSeq<Node>(node) && node.flow !== true) {
      return node.items.length === 0 ? (node.range?.[1] ?? 0) : this.itemEnd(node, node.items.length - 1);
    }
    const end = node?.range?.[1] ?? 0;
    return isBlockScalar(node) ? this.beforeLineEnd(end) : end;
  }

  pairEnd(pair: YamlPair): number {
    return isBlank(pair.value) ? this.colonEnd(pair) : this.contentEnd(pair.value);
  }

  itemEnd(seq: YAMLSeq<Node>, index: number): number {
    const item = seq.items[index] ?? null;
    return isBlank(item) ? this.dash(seq, index) + 1 : this.contentEnd(item);
  }

  /** Returns the offset after the colon, or the end of a key without a colon (`{a}`). */
  colonEnd(pair: YamlPair): number {
    const colon = pair.srcToken?.sep?.find((token) => token.type === 'map-value-ind');
    return colon === undefined ? (pair.key.range?.[1] ?? 0) : colon.offset + 1;
  }

  dash(seq: YAMLSeq<Node>, index: number): number {
    const token = seq.srcToken;
    const item = token?.type === 'block-seq' ? token.items[index] : undefined;
    const dash = item?.start.find((start) => start.type === 'seq-item-ind');
    if (dash === undefined)
      throw new CannotSplice('This list is written in a way that cannot be changed in place', seq.range?.[0] ?? 0);
    return dash.offset;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Returns the end of the line, before its newline. */
  lineEnd(offset: number): number {
    const newline = this.text.indexOf('\n', offset);
    if (newline === -1) return this.text.length;
    return newline > offset && this.text[newline - 1] === '\r' ? newline - 1 : newline;
  }

  /** Returns the start of the next line. `offset` is the end of a line. */
  afterLineEnd(offset: number): number {
    if (this.text.startsWith('\r\n', offset)) return offset + 2;
    return this.text[offset] === '\n' ? offset + 1 : offset;
  }

  /** Returns the end of the previous line. `offset` is the start of a line. */
  beforeLineEnd(offset: number): number {
    if (this.text[offset - 1] !== '\n') return offset;
    return this.text[offset - 2] === '\r' ? offset - 2 : offset - 1;
  }

  #startOf(parent: Collection, index: number): number {
    if (isSeq<Node>(parent)) return this.dash(parent, index);
    const pair = parent.items[index];
    return pair?.key.range?.[0] ?? 0;
  }

  /** Returns the start of the slot's text, after the colon or the dash. */
  #slotStart(slot: Slot): number {
    return slot.in === 'map' ? this.colonEnd(slot.pair) : this.dash(slot.parent, slot.index) + 1;
  }

  /** Returns the text of a value that does not fit on the line of its slot. */
  #below(slot: Slot, value: Json, old: Node | null): { head: string; lines: readonly string[] } | undefined {
    if (slot.in === 'map') {
      const indent = this.column(slot.pair.key.range?.[0] ?? 0);
      return blockLines(value, indent, this.style, this.#literalIndent(old, indent + this.style.step));
    }
    if (isInline(value)) return undefined;
    const [first = '', ...lines] = entryLines(value, this.column(this.dash(slot.parent, slot.index)), this.style);
    return { head: ` ${first}`, lines };
  }

  /** Returns the indentation of a `|` block. It keeps the old one, so that unchanged lines stay the same. */
  #literalIndent(old: Node | null, otherwise: number): number {
    if (!isBlockScalar(old)) return otherwise;
    const [start, end] = old?.range ?? [0, 0];
    const rows = this.text.slice(this.afterLineEnd(this.lineEnd(start)), end).split('\n');
    const row = rows.find((line) => line.trim() !== '');
    return row === undefined ? otherwise : row.length - row.trimStart().length;
  }

  #replaceInFlow(slot: Slot, old: Node | null, value: Json, quote: Quote): Cut {
    const text = printInFlow(value, quote);
    if (!isBlank(old)) return { start: old?.range?.[0] ?? 0, end: this.contentEnd(old), text };
    if (slot.in === 'seq') throw new CannotSplice('This entry is empty', slot.parent.range?.[0] ?? 0);
    const at = this.colonEnd(slot.pair);
    return { start: at, end: at, text: this.text[at - 1] === ':' ? ` ${text}` : `: ${text}` };
  }

  #addInFlow(parent: Collection, texts: readonly string[], index: number): Cut {
    const [open, close] = [(parent.range?.[0] ?? 0) + 1, (parent.range?.[1] ?? 0) - 1];
    if (parent.items.length === 0) {
      const pad = isMap(parent) ? ' ' : '';
      const inner = this.text.slice(open, close);
      if (inner.trim() !== '') throw new CannotSplice('This list holds a comment only', open);
      return { start: open, end: close, text: pad + texts.join(', ') + pad };
    }
    const at = index > 0 ? this.#flowSpan(parent, index - 1)[1] : this.#flowSpan(parent, 0)[0];
    // If entries are on separate lines, new ones are too.
    const first = this.#flowSpan(parent, 0)[0];
    const ownLines = this.text.slice(open, first).includes('\n');
    const between = ownLines ? `,${this.style.eol}${' '.repeat(this.column(first))}` : ', ';
    const text = texts.join(between);
    return { start: at, end: at, text: index > 0 ? between + text : text + between };
  }

  #flowSpan(parent: Collection, index: number): [number, number] {
    const item: unknown = parent.items[index];
    if (isPair<Node, Node | null>(item)) return [item.key.range?.[0] ?? 0, this.pairEnd(item)];
    const node = isSeq<Node>(parent) ? (parent.items[index] ?? null) : null;
    return [node?.range?.[0] ?? 0, this.contentEnd(node)];
  }

  /** Returns the range of an entry with its trailing comment and the comment lines directly above it. */
  #chunk(seq: YAMLSeq<Node>, index: number): [number, number] {
    const dash = this.dash(seq, index);
    const end = this.lineEnd(this.itemEnd(seq, index));
    const column = this.column(dash);
    let start = dash;
    const floor = index === 0 ? 0 : this.lineEnd(this.itemEnd(seq, index - 1));
    const own = this.text.slice(this.lineStart(dash), dash).trim() === '';
    for (let line = this.lineStart(dash); own && line > floor; ) {
      const above = this.lineStart(this.beforeLineEnd(line));
      if (above <= floor || !this.text.startsWith('#', above + column)) break;
      if (this.text.slice(above, above + column).trim() !== '') break;
      start = above + column;
      line = above;
    }
    return [start, end];
  }

  #linesAfter(offset: number, lines: readonly string[]): Cut {
    const at = this.lineEnd(offset);
    return { start: at, end: at, text: lines.map((line) => this.style.eol + line).join('') };
  }

  #linesBefore(offset: number, lines: readonly string[], indent: number): Cut {
    const text = lines.join(this.style.eol).slice(indent) + this.style.eol + ' '.repeat(indent);
    return { start: offset, end: offset, text };
  }
}

export function isBlank(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}

export function isBlockScalar(node: Node | null): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

export function isBlockCollection(node: Node | null): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}

export function isReference(node: Node | null | undefined): boolean {
  return isAlias(node);
}

/** True for a node that needs more than one line. */
function isBlockShaped(node: Node | null): boolean {
  return isBlockScalar(node) || isBlockCollection(node);
}

function quoteOf(node: Node | null): Quote {
  if (!isScalar(node) || typeof node.value !== 'string') return undefined;
  if (node.type === 'QUOTE_DOUBLE') return 'double';
  return node.type === 'QUOTE_SINGLE' ? 'single' : undefined;
}

/**
 * Returns the quotes that a new value takes over. Double quotes that the old value needed go with it: while `node` is typed,
 * its first letters may be a word such as `no` that needs them.
 */
function keptQuote(node: Node | null, flow: boolean): Quote {
  const quote = quoteOf(node);
  if (quote !== 'double' || !isScalar(node) || typeof node.value !== 'string') return quote;
  return needsQuotes(node.value, flow) ? undefined : quote;
}

/** True if a value is a collection of the same kind as the node. */
export function sameKind(node: Node | null, value: Json): boolean {
  return (isMap(node) && isJsonObject(value)) || (isSeq(node) && isList(value));
}
