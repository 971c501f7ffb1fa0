/**
 * Reads Markdown (CommonMark with tables, task lists, strike-through and bare addresses) into a tree to draw. HTML in it is text, an
 * image is a link to it, and only addresses of the web and of mail are links: what a model writes neither runs nor loads anything.
 *
 *   text ─▶ syntax tree of @lezer/markdown ─▶ MarkdownNode[] ─▶ components/ui/markdown.tsx
 */

import type { SyntaxNode } from '@lezer/common';
import { GFM, parser } from '@lezer/markdown';

export type MarkdownNode =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' | 'rule' }
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'paragraph' | 'quote' | 'strong' | 'emphasis' | 'strike' | 'row' | 'cell';
      readonly children: readonly MarkdownNode[];
    }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly MarkdownNode[] }
  /** `start` is the first number of a numbered list. */
  | { readonly kind: 'list'; readonly start: number | undefined; readonly children: readonly MarkdownNode[] }
  /** `done` is set for tasks. */
  | { readonly kind: 'item'; readonly done: boolean | undefined; readonly children: readonly MarkdownNode[] }
  /** The first row is the head. */
  | { readonly kind: 'table'; readonly children: readonly MarkdownNode[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly MarkdownNode[] };

const markdown = parser.configure(GFM);
/** Deeper nesting is shown as text. */
const mostDepth = 40;

/** Reads a text. Never throws: what is no Markdown is a paragraph. */
export function readMarkdown(text: string): readonly MarkdownNode[] {
  return blocksOf(text, markdown.parse(text).topNode, 0);
}

function blocksOf(text: string, parent: SyntaxNode, depth: number): readonly MarkdownNode[] {
  const blocks: MarkdownNode[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    const block = depth > mostDepth ? plain(text, node) : blockOf(text, node, depth + 1);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

function blockOf(text: string, node: SyntaxNode, depth: number): MarkdownNode | undefined {
  const { name } = node;
  const heading = /^(?:ATX|Setext)Heading([1-6])$/.exec(name);
  if (heading !== null) return { kind: 'heading', level: Number(heading[1]), children: inlineOf(text, node, depth) };
  switch (name) {
    case 'Paragraph':
      return { kind: 'paragraph', children: inlineOf(text, node, depth) };
    case 'Blockquote':
      return { kind: 'quote', children: blocksOf(text, node, depth) };
    case 'BulletList':
    case 'OrderedList':
      return { kind: 'list', start: startOf(text, node), children: blocksOf(text, node, depth) };
    case 'ListItem':
      return { kind: 'item', done: doneOf(text, node), children: blocksOf(text, node, depth) };
    case 'Task':
      return { kind: 'paragraph', children: inlineOf(text, node, depth) };
    case 'FencedCode':
    case 'CodeBlock':
      return { kind: 'fence', language: slice(text, node.getChild('CodeInfo')), text: codeOf(text, node) };
    case 'HorizontalRule':
      return { kind: 'rule' };
    case 'Table':
      return { kind: 'table', children: blocksOf(text, node, depth) };
    case 'TableHeader':
    case 'TableRow':
      return { kind: 'row', children: blocksOf(text, node, depth) };
    case 'TableCell':
      return { kind: 'cell', children: inlineOf(text, node, depth) };
    default:
      return isMark(name) || name === 'TableDelimiter' ? undefined : plain(text, node);
  }
}

/** HTML, comments, definitions of links: as they are written. */
function plain(text: string, node: SyntaxNode): MarkdownNode {
  return { kind: 'paragraph', children: [{ kind: 'text', text: slice(text, node) }] };
}

function startOf(text: string, list: SyntaxNode): number | undefined {
  if (list.name !== 'OrderedList') return undefined;
  return Number.parseInt(slice(text, list.getChild('ListItem')?.getChild('ListMark') ?? null), 10) || 0;
}

function doneOf(text: string, item: SyntaxNode): boolean | undefined {
  const marker = item.getChild('Task')?.getChild('TaskMarker');
  return marker ? /x/i.test(slice(text, marker)) : undefined;
}

/** The marks of an outer list or quotation stand between the parts of a code. */
function codeOf(text: string, node: SyntaxNode): string {
  return node
    .getChildren('CodeText')
    .map((part) => slice(text, part))
    .join('');
}

function inlineOf(text: string, parent: SyntaxNode, depth: number): readonly MarkdownNode[] {
  return inlineBetween(text, parent, parent.from, parent.to, depth);
}

/** Reads the part of a node from `from` to `to`. */
function inlineBetween(
  text: string,
  parent: SyntaxNode,
  from: number,
  to: number,
  depth: number,
): readonly MarkdownNode[] {
  const parts: MarkdownNode[] = [];
  let at = from;
  const addText = (end: number) => {
    // The indentation of a line that goes on belongs to the list around it.
    if (end > at) parts.push({ kind: 'text', text: text.slice(at, end).replace(/\n[ \t]+/g, '\n') });
  };
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    if (node.from < from || node.to > to) continue;
    addText(node.from);
    at = node.to;
    if (isMark(node.name)) {
      if (spacedMarks.has(node.name) && text[at] === ' ') at += 1;
    } else if (depth > mostDepth) parts.push({ kind: 'text', text: slice(text, node) });
    else parts.push(inline(text, node, depth + 1));
  }
  addText(to);
  return joined(parts);
}

/** The space after these marks is part of them. */
const spacedMarks: ReadonlySet<string> = new Set(['HeaderMark', 'QuoteMark', 'TaskMarker']);

function inline(text: string, node: SyntaxNode, depth: number): MarkdownNode {
  switch (node.name) {
    case 'Emphasis':
      return { kind: 'emphasis', children: inlineOf(text, node, depth) };
    case 'StrongEmphasis':
      return { kind: 'strong', children: inlineOf(text, node, depth) };
    case 'Strikethrough':
      return { kind: 'strike', children: inlineOf(text, node, depth) };
    case 'InlineCode':
      return { kind: 'code', text: inlineCode(text, node) };
    case 'HardBreak':
      return { kind: 'break' };
    case 'Escape':
      return { kind: 'text', text: text.slice(node.from + 1, node.to) };
    case 'Entity':
      return { kind: 'text', text: entities[slice(text, node)] ?? slice(text, node) };
    case 'Link':
    case 'Image':
      return linkOf(text, node, depth);
    case 'URL':
    case 'Autolink':
      return addressOf(slice(text, node).replace(/^<|>$/g, ''), slice(text, node));
    default:
      return { kind: 'text', text: slice(text, node) };
  }
}

function linkOf(text: string, node: SyntaxNode, depth: number): MarkdownNode {
  const href = safeAddress(slice(text, node.getChild('URL')));
  const [open, close] = node.getChildren('LinkMark');
  // A reference such as `[1]` looks like a link without an address.
  if (href === undefined || open === undefined || close === undefined) return { kind: 'text', text: slice(text, node) };
  const words = inlineBetween(text, node, open.to, close.from, depth).filter(({ kind }) => kind !== 'link');
  return { kind: 'link', href, children: words.length > 0 ? words : [{ kind: 'text', text: href }] };
}

function addressOf(address: string, text: string): MarkdownNode {
  const full = address.startsWith('www.') ? `https://${address}` : mail.test(address) ? `mailto:${address}` : address;
  const href = safeAddress(full);
  return href === undefined
    ? { kind: 'text', text }
    : { kind: 'link', href, children: [{ kind: 'text', text: address }] };
}

const mail = /^[^\s:/@]+@[^\s/@]+$/;

/** Returns an address that a click may open. */
function safeAddress(address: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(address) ? address : undefined;
}

/** A code that begins and ends with a space has them for its back quotes. */
function inlineCode(text: string, node: SyntaxNode): string {
  const [open, close] = [node.firstChild, node.lastChild];
  const code = text.slice(open?.to ?? node.from, close?.from ?? node.to).replace(/\n/g, ' ');
  return /^ .*\S.* $/.test(code) ? code.slice(1, -1) : code;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

function isMark(name: string): boolean {
  return name.endsWith('Mark') || name === 'TaskMarker' || name === 'LinkTitle' || name === 'LinkLabel';
}

/** Puts neighbouring texts together. */
function joined(parts: readonly MarkdownNode[]): readonly MarkdownNode[] {
  const all: MarkdownNode[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

function slice(text: string, node: SyntaxNode | null): string {
  return node === null ? '' : text.slice(node.from, node.to);
}
