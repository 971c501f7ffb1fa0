import { brandAs, type CallId } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { ToolCall } from '@/lib/runtime/record/messages';
import { asText, isObject, parsed } from './span-reader';

/** What a message holds, whatever the provider calls its parts. */
export interface ReadParts {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly ReadResult[];
  /** True if all parts were understood, so that nothing is lost without the source. */
  readonly isWhole: boolean;
}

/** The result of a tool call, as a model was given it. */
export interface ReadResult {
  readonly callId: string | undefined;
  readonly text: string;
}

/**
 * Reads the content of a message: text, or parts of OpenAI, Anthropic, Bedrock, Gemini, the Vercel AI SDK, OpenInference or the
 * GenAI conventions.
 */
export function readParts(content: Json): ReadParts {
  const parts = partsOf(content);
  const of = (kind: PartKind) => parts.filter((part) => kindOfPart(part) === kind);
  return {
    text: of('text').map(partText).join('\n'),
    reasoning: of('reasoning').map(partText).join('\n'),
    calls: callsOf(of('call')),
    results: of('result').map((part) => ({
      callId: asText(part.id ?? part.tool_call_id ?? part.tool_use_id ?? part.toolCallId),
      text: partText(part),
    })),
    isWhole: of('other').length === 0,
  };
}

type PartKind = 'text' | 'reasoning' | 'call' | 'result' | 'other';

function kindOfPart({ type }: JsonObject): PartKind {
  if (type === 'text' || type === 'input_text' || type === 'output_text') return 'text';
  if (type === 'reasoning' || type === 'thinking') return 'reasoning';
  if (/^(?:tool[-_](?:call|use)|function_call)$/.test(String(type))) return 'call';
  return /tool[-_](?:call_response|result|response)/.test(String(type)) ? 'result' : 'other';
}

function partsOf(content: Json): readonly JsonObject[] {
  const value = typeof content === 'string' && looksLikeParts(content) ? parsed(content) : content;
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return isObject(value) ? [typed(value)] : [{ type: 'text', text: String(value) }];
  return value.map((part: Json) => (isObject(part) ? typed(part) : { type: 'text', text: asText(part) ?? '' }));
}

function looksLikeParts(content: string): boolean {
  return /^\[\s*\{\s*"(?:type|text|toolUse|toolResult|reasoningContent|image)"/.test(content);
}

/** Gives a part of any provider a `type`. Bedrock and Gemini name the kind by the only member. */
function typed(part: JsonObject): JsonObject {
  // OpenInference wraps each part.
  if (isObject(part.message_content)) return typed(part.message_content);
  if (typeof part.type === 'string') return part;
  const { toolUse, toolResult, reasoningContent } = part;
  if (isObject(toolUse)) return { ...toolUse, type: 'tool_use', id: toolUse.toolUseId ?? null };
  if (isObject(toolResult)) return { ...toolResult, type: 'tool_result', id: toolResult.toolUseId ?? null };
  if (isObject(reasoningContent)) {
    const { reasoningText } = reasoningContent;
    return { type: 'reasoning', text: isObject(reasoningText) ? (reasoningText.text ?? '') : (reasoningText ?? '') };
  }
  const call = part.function_call ?? part.functionCall;
  if (isObject(call)) return { ...call, type: 'tool_call' };
  const response = part.function_response ?? part.functionResponse;
  if (isObject(response)) return { ...response, type: 'tool_result' };
  if (typeof part.text !== 'string') return part;
  return { ...part, type: part.thought === true ? 'reasoning' : 'text' };
}

function partText(part: JsonObject): string {
  const value = part.text ?? part.content ?? part.response ?? part.result ?? part.output ?? part.thinking;
  if (!Array.isArray(value)) return asText(value) ?? '';
  const { text, isWhole } = readParts(value);
  return isWhole ? text : (asText(value) ?? '');
}

/** Reads tool calls in any form: OpenAI `{id, function: {name, arguments}}`, parts, Vercel `{toolCallId, toolName, input}`. */
export function callsOf(value: Json | undefined): readonly ToolCall[] {
  const list = Array.isArray(value) ? value : [];
  return list.filter(isObject).map((given: JsonObject, index: number): ToolCall => {
    const call = isObject(given.tool_call) ? given.tool_call : given;
    const named = isObject(call.function) ? call.function : call;
    const wanted = named.arguments ?? call.args ?? call.input ?? {};
    return {
      id: brandAs<CallId>(asText(call.id ?? call.toolCallId ?? call.tool_call_id) ?? `call_${index + 1}`),
      name: asText(named.name ?? call.toolName) ?? '',
      argumentsText: typeof wanted === 'string' ? wanted : JSON.stringify(wanted),
    };
  });
}
