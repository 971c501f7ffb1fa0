import type { Message, Part } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import { exactBody, withMarks } from '@/lib/tools/mcp/exact-messages';

export function textPart(value: string): Part {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}

/** The text of a message for a run. Data is written as JSON and links by their addresses. Throws errors of the SDK. */
export function textOfMessage(message: Message | undefined): string {
  const parts = message?.parts ?? [];
  if (parts.length === 0) throw new RequestMalformedError('The message has no parts. Send at least one with text.');
  return parts.map(partText).join('\n');
}

function partText({ content, filename }: Part): string {
  switch (content?.$case) {
    case 'text':
      return content.value;
    case 'data':
      return exactBody(JSON.stringify(withMarks(content.value), undefined, 2));
    case 'url':
      return `[${filename || content.value}](${content.value})`;
    case 'raw':
      throw new ContentTypeNotSupportedError('A run takes text, data and links. Send a link in place of a file.');
    default:
      throw new RequestMalformedError('A part of the message has no content.');
  }
}
