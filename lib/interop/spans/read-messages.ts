import { brandAs, type CallId } from '@/lib/base/ids';
import type { Json, JsonObject } from '@/lib/base/json';
import type { SpanEvent } from '@/lib/interop/otlp/received-span';
import type { AssistantMessage, StopReason, ToolCall } from '@/lib/runtime/record/messages';
import { asText, isObject, parsed, type SpanReader } from './span-reader';

/** A message of any convention. */
export interface ReadMessage {
  readonly role: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly finish: string | undefined;
}

/** Reads the messages that a model was sent. */
export function readRequest(reader: SpanReader, events: readonly SpanEvent[]): readonly ReadMessage[] {
  const inEvent = eventValue(events, 'gen_ai.input.messages', 'gen_ai.prompt');
  const value = reader.value('gen_ai.input.messages', 'ai.prompt.messages', 'pydantic_ai.all_messages') ?? inEvent;
  const listed = messagesOf(value);
  if (listed.length > 0) return listed;
  const numbered = [...reader.numbered('gen_ai.prompt'), ...reader.numbered('llm.input_messages')];
  if (numbered.length > 0) return numbered.map((entry) => messageOf(unflattened(entry)));
  return events.filter(({ name }) => /^gen_ai\.(?:system|user|assistant|tool)\.message$/.test(name)).map(eventMessage);
}

/** Reads the answer of a model; `undefined` if the span has none. */
export function readAnswer(reader: SpanReader, events: readonly SpanEvent[]): AssistantMessage | undefined {
  const finish = finishOf(reader);
  const listed = messagesOf(
    reader.value('gen_ai.output.messages') ?? eventValue(events, 'gen_ai.output.messages', 'gen_ai.completion'),
  );
  const numbered = [...reader.numbered('gen_ai.completion'), ...reader.numbered('llm.output_messages')];
  const choices = events.filter(({ name }) => name === 'gen_ai.choice').map(eventMessage);
  const flat = numbered.map((entry) => messageOf(unflattened(entry)));
  const found = [listed, flat, choices].find((messages) => messages.length > 0);
  if (found !== undefined) return assistantOf(found, finish);
  const text = reader.text('ai.response.text');
  const calls = callsOf(reader.value('ai.response.toolCalls', 'ai.result.toolCalls'));
  const object = asText(reader.value('ai.response.object', 'gen_ai.completion'));
  const reasoning = reader.text('ai.response.reasoning') ?? '';
  if (text === undefined && object === undefined && calls.length === 0) return undefined;
  const message = { role: 'assistant', text: text ?? object ?? '', reasoning, calls, finish: undefined };
  return assistantOf([message], finish);
}

/** Joins the messages of one answer. */
export function assistantOf(messages: readonly ReadMessage[], finish: string | undefined): AssistantMessage {
  const text = messages
    .map((message) => message.text)
    .filter((part) => part !== '')
    .join('\n');
  const reasoning = messages
    .map((message) => message.reasoning)
    .filter((part) => part !== '')
    .join('\n');
  const toolCalls = messages.flatMap((message) => message.calls);
  const said = finish ?? messages.find((message) => message.finish !== undefined)?.finish;
  return {
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text }],
    ...(reasoning !== '' && { reasoning }),
    toolCalls,
    stopReason: stopReasonOf(said, toolCalls.length > 0),
  };
}

/** Converts a finish reason of any provider. */
function stopReasonOf(finish: string | undefined, hasCalls: boolean): StopReason {
  const word = (finish ?? '').toLowerCase().replaceAll('-', '_');
  if (word.includes('length') || word.includes('max_tokens')) return 'max_tokens';
  if (word.includes('tool') || (word === '' && hasCalls)) return 'tool_use';
  if (word.includes('filter') || word.includes('safety') || word === 'refusal') return 'safety';
  return word === 'stop_sequence' ? 'stop_sequence' : hasCalls ? 'tool_use' : 'end_turn';
}

function finishOf(reader: SpanReader): string | undefined {
  const value = reader.value(
    'gen_ai.response.finish_reasons',
    'ai.response.finishReason',
    'gen_ai.response.finish_reason',
  );
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

function eventValue(events: readonly SpanEvent[], ...keys: readonly string[]): Json | undefined {
  for (const { attributes } of events) {
    for (const key of keys) {
      const value = attributes[key];
      if (value !== undefined && value !== null && value !== '') return parsed(value);
    }
  }
  return undefined;
}

function eventMessage({ name, attributes }: SpanEvent): ReadMessage {
  const message = parsed(attributes.message ?? null);
  const role = name === 'gen_ai.choice' ? 'assistant' : (name.split('.')[1] ?? '');
  const finish = asText(attributes.finish_reason);
  return messageOf({ role, ...attributes, ...(isObject(message) && message), ...(finish !== undefined && { finish }) });
}

/** Reads a list of messages, `{messages: […]}`, or one message. */
export function messagesOf(value: Json | undefined): readonly ReadMessage[] {
  if (Array.isArray(value)) return value.flat().filter(isObject).map(messageOf);
  if (!isObject(value)) return [];
  if (Array.isArray(value.messages)) return messagesOf(value.messages);
  return value.role === undefined ? [] : [messageOf(value)];
}

/**
 * Returns the last text of a role in JSON that holds messages, as frameworks record what an agent was given and what it
 * returned. Returns `undefined` for anything else.
 */
export function lastSaid(value: Json | undefined, role: 'user' | 'assistant'): string | undefined {
  const own = messagesOf(value).findLast((message) => message.role === role && message.text !== '');
  return own?.text;
}

/** The roles of LangChain's serialised messages. */
const langchainRoles: Readonly<Record<string, string>> = {
  HumanMessage: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
};

/** LangChain serialises a message as `{lc, id: [… , 'AIMessage'], kwargs: {content}}`. */
function fromLangchain(message: JsonObject): JsonObject {
  if (!isObject(message.kwargs) || !Array.isArray(message.id)) return message;
  const role = langchainRoles[String(message.id.at(-1))] ?? '';
  return { ...message.kwargs, role };
}

/** Reads one message: OpenAI's form, the parts of the GenAI conventions, the content parts of Vercel and Anthropic. */
export function messageOf(given: JsonObject): ReadMessage {
  const message = fromLangchain(isObject(given.message) ? given.message : given);
  const parts = partsOf(message.parts ?? message.content ?? message.contents ?? null);
  const texts = parts.filter(({ type }) => type === 'text' || type === 'input_text' || type === 'output_text');
  const thoughts = parts.filter(({ type }) => type === 'reasoning' || type === 'thinking');
  const results = parts.filter(({ type }) => /tool[-_](?:call_response|result|response)/.test(String(type)));
  const text = [...texts, ...results].map(partText).join('\n');
  return {
    role: String(message.role ?? ''),
    text,
    reasoning: thoughts.map(partText).join('\n') || (asText(message.reasoning_content) ?? ''),
    calls: [
      ...callsOf(message.tool_calls),
      ...callsOf(parts.filter(({ type }) => /^tool[-_](?:call|use)$/.test(String(type)))),
    ],
    finish: asText(given.finish_reason ?? given.finish ?? message.finish_reason),
  };
}

function partsOf(content: Json): readonly JsonObject[] {
  const value = typeof content === 'string' ? (looksLikeParts(content) ? parsed(content) : content) : content;
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return isObject(value) ? [value] : [];
  return value.map((part: Json) => (isObject(part) ? unwrapped(part) : { type: 'text', text: asText(part) ?? '' }));
}

/** OpenInference wraps each part: `{message_content: {type, text}}`. */
function unwrapped(part: JsonObject): JsonObject {
  return isObject(part.message_content) ? part.message_content : part;
}

function looksLikeParts(content: string): boolean {
  return /^\[\s*\{\s*"(?:type|text)"/.test(content);
}

function partText(part: JsonObject): string {
  return asText(part.text ?? part.content ?? part.response ?? part.result ?? part.output ?? part.thinking) ?? '';
}

/** Reads tool calls in any form: OpenAI `{id, function: {name, arguments}}`, parts, Vercel `{toolCallId, toolName, input}`. */
function callsOf(value: Json | undefined): readonly ToolCall[] {
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

/** Turns `{"tool_calls.0.name": x}` into `{tool_calls: [{name: x}]}`. */
export function unflattened(entry: JsonObject): JsonObject {
  const root: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    const names = key.split('.').slice(0, 12);
    let at = root;
    names.forEach((name, index) => {
      if (name === '__proto__') return;
      if (index === names.length - 1) at[name] = value;
      else {
        const next = at[name];
        at[name] = typeof next === 'object' && next !== null ? next : {};
        at = at[name] as Record<string, unknown>;
      }
    });
  }
  return listed(root) as JsonObject;
}

function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const members = Object.values(value).map(listed);
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) return members;
  return Object.fromEntries(keys.map((key, index) => [key, members[index]]));
}
