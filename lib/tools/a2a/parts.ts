import type { Part } from '@a2a-js/sdk';
import { parseExactJson } from '@/lib/base/exact-json';
import type { ContentBlock } from '@/lib/runtime/record/messages';
import { exactBody, withMarks } from '@/lib/tools/mcp/exact-messages';

/** Converts content of a message to parts of A2A, and parts to text, as fast-agent does. */

export function partsOf(text: string, attachments: readonly ContentBlock[]): Part[] {
  const parts = attachments.map(partOf);
  return text === '' && parts.length > 0 ? parts : [textPart(text), ...parts];
}

export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

function partOf(block: ContentBlock): Part {
  const empty = { metadata: undefined, filename: '', mediaType: '' };
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'image':
    case 'audio':
      return {
        ...empty,
        content: { $case: 'raw', value: Buffer.from(block.data, 'base64') },
        mediaType: block.mimeType,
      };
    case 'resource_link':
      return {
        ...empty,
        content: { $case: 'url', value: block.uri },
        filename: block.name ?? '',
        mediaType: block.mimeType ?? '',
      };
    case 'resource': {
      const mediaType = block.mimeType ?? '';
      const named = { ...empty, filename: nameInUri(block.uri), mediaType };
      if (block.blob !== undefined)
        return { ...named, content: { $case: 'raw', value: Buffer.from(block.blob, 'base64') } };
      const text = block.text ?? '';
      const data = mediaType === 'application/json' ? parseExactJson(text) : undefined;
      if (data !== undefined) return { ...empty, mediaType, content: { $case: 'data', value: withMarks(data) } };
      return { ...named, mediaType: mediaType || 'text/plain', content: { $case: 'text', value: text } };
    }
  }
}

/** Returns the name of a file, such as `final summary.txt` for `file:///reports/final%20summary.txt`. */
export function nameInUri(uri: string): string {
  const path = URL.canParse(uri) ? new URL(uri).pathname : uri;
  const last = path.split('/').findLast((name) => name !== '') ?? 'attachment';
  return decoded(last);
}

const longestName = 200;

/**
 * Returns a file's name as others may read it: decoded, without a path, and without characters that are markup or cannot be seen. So
 * `%C3%9Cbersicht%20Q3.pdf` is `Übersicht Q3.pdf`, and `..%2Fetc` is `etc`.
 */
export function plainName(filename: string): string {
  const name =
    decoded(filename)
      .split(/[/\\]/)
      .findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '';
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, '_')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .trim();
  return [...plain].slice(0, longestName).join('');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Returns the parts of a message as a model reads them: text as it is, data as JSON, files by name, type and size. */
export function messageText(parts: readonly Part[]): string {
  return parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

export interface ArtifactText {
  readonly text: string;
  /** True if the last part was text, which a further text part continues. */
  readonly isOpen: boolean;
}

export const noArtifactText: ArtifactText = { text: '', isOpen: true };

/**
 * Returns an artifact with further parts. Text parts are joined without a separator, because a server that streams an
 * answer sends each piece as a text part of its own. An answer then reads the same whether it was streamed or fetched
 * whole.
 */
export function withParts(before: ArtifactText, parts: readonly Part[]): ArtifactText {
  let { text, isOpen } = before;
  for (const part of parts) {
    const piece = partText(part);
    const isText = part.content?.$case === 'text';
    text += text === '' || piece === '' || (isText && isOpen) ? piece : `\n${piece}`;
    isOpen = isText;
  }
  return { text, isOpen };
}

/** Names, addresses and types are written as text: none of them can end the brackets that it stands in, or its line. */
function partText({ content, filename, mediaType: given }: Part): string {
  const mediaType = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.+-]+=[\w.+-]+)*$/.test(given) ? given : '';
  switch (content?.$case) {
    case 'text':
      return content.value;
    case 'url': {
      const url = content.value.replaceAll(/[\s()<>[\]\p{Cc}]/gu, encoded);
      const link = `[${plainName(filename) || plainName(nameInUri(url))}](${url})`;
      return mediaType === '' ? link : `${link} (${mediaType})`;
    }
    case 'data':
      return `\`\`\`json\n${exactBody(JSON.stringify(content.value, undefined, 2))}\n\`\`\``;
    case 'raw': {
      const type = mediaType === '' ? '' : ` ${mediaType}`;
      return `[${plainName(filename) || 'attachment'}: ${content.value.length} bytes${type}]`;
    }
    default:
      return '';
  }
}
