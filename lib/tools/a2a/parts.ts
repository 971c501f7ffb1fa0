import type { Part } from '@a2a-js/sdk';
import { parseJson } from '@/lib/base/json';
import type { ContentBlock } from '@/lib/runtime/record/messages';

/** Content of a message as parts of A2A, and parts as text, as fast-agent converts them. */

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
      const data = mediaType === 'application/json' ? parseJson(text) : undefined;
      if (data !== undefined) return { ...empty, mediaType, content: { $case: 'data', value: data } };
      return { ...named, mediaType: mediaType || 'text/plain', content: { $case: 'text', value: text } };
    }
  }
}

/** `final summary.txt` of `file:///reports/final%20summary.txt`. */
export function nameInUri(uri: string): string {
  const path = URL.canParse(uri) ? new URL(uri).pathname : uri;
  const last = path.split('/').findLast((name) => name !== '') ?? 'attachment';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The parts of a message as a model reads them: text as it is, data as JSON, files by name, type and size. */
export function messageText(parts: readonly Part[]): string {
  return parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n');
}

export interface ArtifactText {
  readonly text: string;
  /** The last part was text, which a further text part continues. */
  readonly isOpen: boolean;
}

export const noArtifactText: ArtifactText = { text: '', isOpen: true };

/**
 * An artifact with further parts. A server that streams an answer keeps each piece as a text part of its own, so text parts are
 * joined without a separator: an answer then reads the same whether it was streamed or fetched whole.
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

function partText({ content, filename, mediaType }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value;
    case 'url': {
      const link = `[${filename || content.value}](${content.value})`;
      return mediaType === '' ? link : `${link} (${mediaType})`;
    }
    case 'data':
      return `\`\`\`json\n${JSON.stringify(content.value, undefined, 2)}\n\`\`\``;
    case 'raw': {
      const type = mediaType === '' ? '' : ` ${mediaType}`;
      return `[${filename || 'attachment'}: ${content.value.length} bytes${type}]`;
    }
    default:
      return '';
  }
}
