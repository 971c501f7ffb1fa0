import { isRecord, type Json, type JsonObject } from '@/lib/base/json';

/**
 * Writes arguments or a result as lines, for people who compare two of them. The texts of a result stand as they are, and
 * everything else as JSON.
 */
export function linesOf(value: Json): string {
  if (typeof value === 'string') return value;
  if (!isObject(value) || !Array.isArray(value.content)) return JSON.stringify(value, null, 2);
  const { content, isError, structuredContent, ...more } = value;
  const lines = [
    ...(isError === true ? [`Error${typeof more.errorCode === 'string' ? ` ${more.errorCode}` : ''}:`] : []),
    ...content.map((block) =>
      isObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block),
    ),
    ...(structuredContent === undefined ? [] : ['Structured:', JSON.stringify(structuredContent, null, 2)]),
  ];
  return lines.join('\n');
}

function isObject(value: Json): value is JsonObject {
  return isRecord(value);
}
