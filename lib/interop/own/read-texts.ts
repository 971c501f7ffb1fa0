import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { SpanFields } from './span-fields';

/* Reads the texts that `lib/trace/otel-texts.ts` writes. What comes out is checked as an event is. */

/** Returns the text of the only message, as instances have it. */
export function onlyText(fields: SpanFields, key: string): string | undefined {
  const [message] = listOf(fields.json(key));
  const [part] = isObject(message) ? listOf(message.parts) : [];
  return isObject(part) && typeof part.content === 'string' ? part.content : undefined;
}

/** Returns the answer of a model. */
export function answerOf(fields: SpanFields): JsonObject | undefined {
  const [message] = listOf(fields.json('gen_ai.output.messages'));
  if (!isObject(message)) return undefined;
  const parts = listOf(message.parts).filter(isObject);
  const reasoning = parts.find(({ type }) => type === 'reasoning')?.content;
  return {
    role: 'assistant',
    content: parts.filter(({ type }) => type !== 'reasoning' && type !== 'tool_call').map(blockOf),
    ...(reasoning !== undefined && { reasoning }),
    toolCalls: parts.filter(({ type }) => type === 'tool_call').map(callOf),
    stopReason: message.stop_reason ?? stopReasons[String(message.finish_reason)] ?? 'end_turn',
    ...(message.from_provider !== undefined && { fromProvider: message.from_provider }),
  };
}

/** Returns the request of a model call. */
export function requestOf(fields: SpanFields): JsonObject | undefined {
  const request = fields.json('callboard.request');
  // The messages are in `callboard.request` already, or in the events that it names.
  fields.value('gen_ai.input.messages');
  const [instruction] = listOf(fields.json('gen_ai.system_instructions'));
  const tools = listOf(fields.json('gen_ai.tool.definitions'));
  if (!isObject(request)) return undefined;
  return {
    instruction: (isObject(instruction) && instruction.content) || '',
    tools: tools
      .filter(isObject)
      .map(({ type: _, parameters = {}, ...tool }) => ({ ...tool, inputSchema: parameters })),
    ...request,
  };
}

function blockOf(part: JsonObject): Json {
  if (part.type === 'text') return { type: 'text', text: part.content ?? '' };
  if (part.type !== 'blob') return part;
  return { type: part.modality ?? '', mimeType: part.mime_type ?? '', data: part.content ?? '' };
}

function callOf({ id = '', name = '', arguments: given = '' }: JsonObject): Json {
  return { id, name, argumentsText: typeof given === 'string' ? given : JSON.stringify(given) };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_call: 'tool_use',
  content_filter: 'safety',
};

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}
