import { isRecord } from '@/lib/base/json';

/** Takes what an answer has, piece by piece. */
export interface ContentSink {
  text(text: string): void;
  refusal(text: string): void;
  thought(text: string): void;
  /** A part with a thought, as it came. It goes back to the server that sent it. */
  thoughtPart(part: Record<string, unknown>): void;
  /** A part of a type that is not read, such as `image_url`. */
  unread(type: string): void;
}

/**
 * Reads content that is not one text: a list of parts, or one part alone. Mistral's reasoning models and some gateways write
 * parts of the types `text`, `thinking` and `refusal`, also in the pieces of a stream.
 */
export function readParts(content: unknown, sink: ContentSink): void {
  for (const part of Array.isArray(content) ? content : [content]) {
    if (typeof part === 'string') sink.text(part);
    else if (isRecord(part)) readPart(part, sink);
    else if (part !== null && part !== undefined) sink.unread(typeof part);
  }
}

function readPart(part: Record<string, unknown>, sink: ContentSink): void {
  const type = typeof part.type === 'string' ? part.type : '';
  switch (type) {
    case 'text':
    case 'output_text':
    case '': {
      const text = textIn(part.text);
      if (text !== undefined) sink.text(text);
      else sink.unread(type === '' ? 'a part without a type' : type);
      return;
    }
    case 'refusal':
      sink.refusal(textIn(part.refusal) ?? '');
      return;
    case 'thinking':
    case 'reasoning':
    case 'reasoning_content':
      sink.thought(textIn(part.thinking ?? part.reasoning ?? part.text ?? part.content) ?? '');
      sink.thoughtPart(part);
      return;
    default:
      sink.unread(type);
  }
}

/** Returns the text of a value: a text, an object with one, or a list of these. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((one) => textIn(one) ?? '').join('');
  if (!isRecord(value)) return undefined;
  const { text, value: inner, content } = value;
  const found = [text, inner, content].find((one) => typeof one === 'string');
  return typeof found === 'string' ? found : undefined;
}
