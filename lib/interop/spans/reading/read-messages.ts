import type { Json, JsonObject } from '@/lib/base/json';
import type { SpanEvent } from '@/lib/interop/otlp/received-span';
import type { AssistantMessage, StopReason } from '@/lib/runtime/record/messages';
import { callsOf, type ReadParts, readParts } from './message-parts';
import { asText, isObject, parsed, type SpanReader } from './span-reader';

/** A message of any convention. */
export interface ReadMessage extends ReadParts {
  /** `system`, `user`, `assistant`, `tool`, or what the source says. */
  readonly role: string;
  readonly finish: string | undefined;
}

/**
 * Reads the messages that a model was sent. What holds a part that is not understood stays among the attributes that were not
 * read.
 */
export function readRequest(reader: SpanReader): readonly ReadMessage[] {
  const seen = requestIn(reader.unmarked());
  return seen.every(({ isWhole }) => isWhole) ? requestIn(reader) : seen;
}

function requestIn(reader: SpanReader): readonly ReadMessage[] {
  const listed = messagesOf(reader.factValue('request') ?? reader.eventValue('gen_ai.input.messages', 'gen_ai.prompt'));
  if (listed.length > 0) return listed;
  const numbered = [...reader.numbered('gen_ai.prompt'), ...reader.numbered('llm.input_messages')];
  if (numbered.length > 0) return numbered.map((entry) => messageOf(unflattened(entry)));
  const events = reader.events.filter(({ name }) => /^gen_ai\.(?:system|user|assistant|tool)\.message$/.test(name));
  for (const event of events) reader.markRead(event);
  return events.map(eventMessage);
}

/** Reads the answer of a model; `undefined` if the span has none. */
export function readAnswer(reader: SpanReader): AssistantMessage | undefined {
  const finish = finishOf(reader);
  const seen = answersIn(reader.unmarked());
  const found = seen.every(({ isWhole }) => isWhole) ? answersIn(reader) : seen;
  if (found.length > 0) return assistantOf(found, finish);
  const text = reader.text('ai.response.text');
  const calls = callsOf(reader.value('ai.response.toolCalls', 'ai.result.toolCalls'));
  const object = asText(reader.value('ai.response.object', 'gen_ai.completion'));
  const reasoning = reader.text('ai.response.reasoning') ?? '';
  if (text === undefined && object === undefined && calls.length === 0) return undefined;
  const parts = { text: text ?? object ?? '', reasoning, calls, results: [], isWhole: true };
  return assistantOf([{ role: 'assistant', ...parts, finish: undefined }], finish);
}

function answersIn(reader: SpanReader): readonly ReadMessage[] {
  const listed = messagesOf(
    reader.factValue('answer') ?? reader.eventValue('gen_ai.output.messages', 'gen_ai.completion'),
  );
  if (listed.length > 0) return listed;
  const numbered = [...reader.numbered('gen_ai.completion'), ...reader.numbered('llm.output_messages')];
  if (numbered.length > 0) return numbered.map((entry) => messageOf(unflattened(entry)));
  const choices = reader.events.filter(({ name }) => name === 'gen_ai.choice');
  for (const choice of choices) reader.markRead(choice);
  return choices.map(eventMessage);
}

/** Joins the messages of one answer. */
export function assistantOf(messages: readonly ReadMessage[], finish: string | undefined): AssistantMessage {
  const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n');
  const text = joined(messages.map((message) => message.text));
  const reasoning = joined(messages.map((message) => message.reasoning));
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
export function stopReasonOf(finish: string | undefined, hasCalls: boolean): StopReason {
  const word = (finish ?? '').toLowerCase().replaceAll('-', '_');
  if (word.includes('length') || word.includes('max_tokens')) return 'max_tokens';
  if (word.includes('tool') || (word === '' && hasCalls)) return 'tool_use';
  if (word.includes('filter') || word.includes('safety') || word === 'refusal') return 'safety';
  return word === 'stop_sequence' ? 'stop_sequence' : hasCalls ? 'tool_use' : 'end_turn';
}

function finishOf(reader: SpanReader): string | undefined {
  const value = reader.factValue('finish');
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

function eventMessage({ name, attributes }: SpanEvent): ReadMessage {
  const message = parsed(attributes.message ?? null);
  const role = name === 'gen_ai.choice' ? 'assistant' : (name.split('.')[1] ?? '');
  const finish = asText(attributes.finish_reason);
  // OpenTelemetry has an object there, Strands the content itself.
  const said = isObject(message) ? message : message === null ? {} : { content: message };
  return messageOf({ role, ...attributes, message: null, ...said, ...(finish !== undefined && { finish }) });
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

/** Roles as frameworks and providers write them. */
const roles: Readonly<Record<string, string>> = {
  HumanMessage: 'user',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
  developer: 'system',
  function: 'tool',
};

/** LangChain serialises a message as `{lc, id: [… , 'AIMessage'], kwargs: {content}}`. */
function fromLangchain(message: JsonObject): JsonObject {
  if (!isObject(message.kwargs) || !Array.isArray(message.id)) return message;
  return { ...message.kwargs, role: String(message.id.at(-1)) };
}

/** Reads one message: OpenAI's form, the parts of the GenAI conventions, the content parts of other providers. */
export function messageOf(given: JsonObject): ReadMessage {
  const message = fromLangchain(isObject(given.message) ? given.message : given);
  const parts = readParts(message.parts ?? message.content ?? message.contents ?? null);
  const said = String(message.role ?? '');
  const role = Object.hasOwn(roles, said) ? (roles[said] ?? said) : said;
  const calls = [...callsOf(message.tool_calls), ...parts.calls];
  const reasoning = parts.reasoning || (asText(message.reasoning_content) ?? '');
  const finish = asText(given.finish_reason ?? given.finish ?? message.finish_reason);
  const base = { ...parts, reasoning, calls, finish };
  // Some providers give results of tools in a message of the user.
  if (role === 'user' && parts.results.length > 0 && parts.text === '') return { ...base, role: 'tool' };
  if (role !== 'tool' || parts.results.length > 0) return { ...base, role };
  const callId = asText(message.tool_call_id ?? message.toolCallId ?? message.id);
  return { ...base, role, text: '', results: [{ callId, text: parts.text }] };
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
