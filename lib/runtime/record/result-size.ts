import type { ContentBlock, ToolResult } from './messages';

const encoder = new TextEncoder();

/**
 * Cuts what exceeds `maxBytes` (UTF-8) of a result and adds a note. Text comes first: a picture, sound or file that does not
 * fit beside all the text is left out and named, `[left out: image (image/png, 90000 bytes)]`, and what follows it stays. Text
 * that does not fit is cut, `[cut: first n of m bytes; left out: …]`.
 */
export function limitResult(result: ToolResult, maxBytes: number): ToolResult {
  const size = sizeOf(result.content, maxBytes);
  const structured = result.structuredContent;
  const keepStructured = structured === undefined || byteLength(JSON.stringify(structured)) <= maxBytes;
  if (size === 'fits' && keepStructured) return result;
  return {
    ...result,
    content: size === 'fits' ? result.content : cutBlocks(result.content, maxBytes, size),
    structuredContent: keepStructured ? structured : undefined,
  };
}

/** Estimates what a result takes in memory, in bytes. */
export function memoryOf({ content, structuredContent }: ToolResult): number {
  let units = structuredContent === undefined ? 0 : JSON.stringify(structuredContent).length;
  for (const block of content) units += payload(block).length;
  return 2 * units;
}

/**
 * Measures the content. Nothing is encoded if the lengths alone prove that it fits, because a UTF-16 unit takes at most
 * three bytes.
 */
function sizeOf(content: readonly ContentBlock[], maxBytes: number): number | 'fits' {
  let units = 0;
  for (const block of content) units += payload(block).length;
  if (units * 3 <= maxBytes) return 'fits';
  let bytes = 0;
  for (const block of content) bytes += byteLength(payload(block));
  return bytes <= maxBytes ? 'fits' : bytes;
}

function cutBlocks(content: readonly ContentBlock[], maxBytes: number, size: number): ContentBlock[] {
  const texts = new Map<ContentBlock, ContentBlock>();
  let left = maxBytes;
  let isCut = false;
  for (const block of content) {
    if (block.type !== 'text' || isCut) continue;
    const text = firstBytes(block.text, left);
    isCut = text.length < block.text.length;
    left -= byteLength(text);
    if (text !== '' || !isCut) texts.set(block, isCut ? { type: 'text', text } : block);
  }
  const leftOut: string[] = [];
  const kept = content.flatMap((block) => {
    if (block.type === 'text') return texts.get(block) ?? [];
    const bytes = byteLength(payload(block));
    if (bytes <= left) {
      left -= bytes;
      return block;
    }
    // Text can be cut, but half of a picture or a file is useless.
    leftOut.push(describe(block, bytes));
    return [];
  });
  const more = leftOut.length > maxNamed ? ` and ${leftOut.length - maxNamed} more` : '';
  const named = leftOut.length > 0 ? [`left out: ${leftOut.slice(0, maxNamed).join(', ')}${more}`] : [];
  const cut = isCut ? [`cut: first ${maxBytes - left} of ${size} bytes`] : [];
  return [...kept, { type: 'text', text: `[${[...cut, ...named].join('; ')}]` }];
}

/** A note names at most this many blocks one by one. */
const maxNamed = 5;

function describe(block: Exclude<ContentBlock, { type: 'text' }>, bytes: number): string {
  switch (block.type) {
    case 'image':
    case 'audio':
      return `${block.type} (${block.mimeType}, ${bytes} bytes)`;
    case 'resource_link':
    case 'resource':
      return `file ${block.uri.slice(0, 200)} (${block.mimeType ? `${block.mimeType}, ` : ''}${bytes} bytes)`;
  }
}

function payload(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return block.data;
    case 'resource_link':
      return block.uri;
    case 'resource':
      return block.text ?? block.blob ?? '';
  }
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** Returns the longest prefix of whole characters that fits. */
function firstBytes(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text.slice(0, maxBytes), new Uint8Array(maxBytes));
  return text.slice(0, read);
}
