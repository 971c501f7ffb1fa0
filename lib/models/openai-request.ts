import type OpenAI from 'openai';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import { jsonTrouble } from '@/lib/base/json-trouble';
import type { NamedModel } from '@/lib/cards/models/name-model';
import type { ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, ContentBlock, Message, ToolCall } from '@/lib/runtime/record/messages';
import { textOf } from '@/lib/runtime/record/messages';
import { resultForModel } from '@/lib/runtime/record/result-text';
import { callsAsWritten, sentBack, sentBackNames } from './from-provider';
import { type Dispensable, leaveOutRefused, type RefusedPart, sentBack as sentBackName } from './refused-parameters';

/** A message may have members of its provider beside those that OpenAI knows. */
type WireMessage = OpenAI.ChatCompletionMessageParam | Readonly<Record<string, unknown>>;
type WirePart = OpenAI.ChatCompletionContentPart;

export interface WireTools {
  /** The `tools` array as JSON text; empty when there are none. */
  readonly json: string;
  /** Maps our name to the name in the request, for names that the API would reject. */
  readonly toWire: ReadonlyMap<string, string>;
  readonly fromWire: ReadonlyMap<string, string>;
}

/** The limits of api.openai.com for the name and description of a function. */
const wireName = /^[A-Za-z0-9_-]{1,64}$/;
const maxDescription = 1_024;

/** Every call of an agent has the same tools array, so it is serialised once. */
const serialised = new WeakMap<readonly ToolDescriptor[], WireTools>();

export function wireTools(tools: readonly ToolDescriptor[]): WireTools {
  const known = serialised.get(tools);
  if (known !== undefined) return known;
  const taken = new Set(tools.map((tool) => tool.name));
  const toWire = new Map<string, string>();
  const definitions = tools.map((tool): OpenAI.ChatCompletionFunctionTool => {
    let name = tool.name;
    if (!wireName.test(name)) {
      name = freeName(name, taken);
      taken.add(name);
      toWire.set(tool.name, name);
    }
    return {
      type: 'function',
      function: {
        name,
        ...(tool.description !== '' && { description: tool.description.slice(0, maxDescription) }),
        parameters: { type: 'object', properties: {}, ...tool.inputSchema },
      },
    };
  });
  const wire: WireTools = {
    json: definitions.length === 0 ? '' : JSON.stringify(definitions),
    toWire,
    fromWire: new Map([...toWire].map(([ours, theirs]) => [theirs, ours])),
  };
  serialised.set(tools, wire);
  return wire;
}

/** A model may have made a name up. Servers refuse every request of a conversation that has an illegal one. */
export function nameOnWire({ name }: ToolCall, { toWire }: WireTools): string {
  return toWire.get(name) ?? (wireName.test(name) ? name : freeName(name, new Set()));
}

/** The arguments of a conversation are the same in each of its requests, so they are parsed once. */
const onWire = new WeakMap<ToolCall, string>();

/** Arguments that are not a JSON object go back as the value of one member, because some servers refuse them otherwise. */
export function argumentsOnWire(call: ToolCall): string {
  const known = onWire.get(call);
  if (known !== undefined) return known;
  const text = call.argumentsText.trim() === '' ? '{}' : call.argumentsText;
  const legal = isRecord(parseJson(text)) ? text : JSON.stringify({ [whyIllegal(text)]: text });
  onWire.set(call, legal);
  return legal;
}

function whyIllegal(argumentsText: string): string {
  return jsonTrouble(argumentsText) === undefined ? 'not_a_json_object' : 'json_that_cannot_be_read';
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60) || 'tool';
  let candidate = plain;
  for (let n = 2; taken.has(candidate); n += 1) candidate = `${plain}_${n}`;
  return candidate;
}

/** How one server is spoken to. */
export interface Dialect {
  /** True for api.openai.com, which renamed some parameters and rejects unknown ones. */
  readonly official: boolean;
  /** The `response_format` as JSON text. */
  readonly format?: string | undefined;
  /** The wire and the host. What this host wrote for itself goes back to it. */
  readonly origin: string;
  /** What the model has refused. */
  readonly refused: readonly RefusedPart[];
  /** Called with the parameters of the card that are left out, when a request has them for the first time. */
  onIgnored(names: readonly string[]): void;
}

export interface RequestBody {
  /** JSON text. */
  readonly json: string;
  /** Its members, of `messages` only that the answers in it have something that goes back to this server. */
  readonly written: Readonly<Record<string, unknown>>;
}

/** What chat completions can do without. */
export const dispensable: Dispensable = {
  parameters: [
    { name: 'max_tokens', otherName: 'max_completion_tokens' },
    { name: 'max_completion_tokens', otherName: 'max_tokens' },
    {
      name: 'stream',
      isOwn: true,
      alongWith: 'stream_options',
      words: /\bstreaming\b.*not support|not support\w* streaming/i,
    },
    { name: 'stream_options', isOwn: true },
    ...['temperature', 'top_p', 'top_k', 'min_p', 'presence_penalty', 'frequency_penalty'].map((name) => ({ name })),
    ...['repetition_penalty', 'verbosity', 'reasoning_effort', 'service_tier', 'stop', 'parallel_tool_calls'].map(
      (name) => ({ name }),
    ),
  ],
  sentBack: sentBackNames,
};

/** Makes the body of a request. */
export function requestBody(request: ModelRequest, model: NamedModel, tools: WireTools, dialect: Dialect): RequestBody {
  const fixed = fixedMembers(request, model, tools.json !== '', dialect);
  const origin = dialect.refused.some(({ name }) => name === sentBackName) ? '' : dialect.origin;
  const isSentBack = request.messages.some((one) => one.role === 'assistant' && one.fromProvider?.origin === origin);
  const messages = JSON.stringify(wireMessages(request, tools, origin));
  const offered = tools.json === '' ? '' : `,"tools":${tools.json}`;
  const asked = dialect.format === undefined ? '' : `,"response_format":${dialect.format}`;
  const json = `{${fixed.json},"messages":${messages}${offered}${asked}}`;
  return { json, written: isSentBack ? { ...fixed.written, [sentBackName]: true } : fixed.written };
}

interface FixedMembers {
  readonly model: NamedModel;
  readonly hasTools: boolean;
  readonly official: boolean;
  readonly refused: readonly RefusedPart[];
  readonly json: string;
  readonly written: Readonly<Record<string, unknown>>;
}

/** Every call of a card has the same parameters object, so its part of the request is built once. */
const lastFixed = new WeakMap<JsonObject, FixedMembers>();

function fixedMembers(request: ModelRequest, model: NamedModel, hasTools: boolean, dialect: Dialect): FixedMembers {
  const { requestParams } = request;
  const { official, refused, onIgnored } = dialect;
  const last = lastFixed.get(requestParams);
  const isSame = last?.model === model && last.hasTools === hasTools && last.official === official;
  if (isSame && last.refused === refused) return last;
  const members: Record<string, unknown> = {
    model: model.name,
    stream: true,
    stream_options: { include_usage: true },
    ...parameters(requestParams, model.query, hasTools, official),
  };
  const ignored = leaveOutRefused(members, refused, dispensable);
  if (ignored.length > 0) onIgnored(ignored);
  const json = JSON.stringify(members).slice(1, -1);
  const fixed = { model, hasTools, official, refused, json, written: members };
  lastFixed.set(requestParams, fixed);
  return fixed;
}

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/**
 * Returns the request's parameters. `request_params` of the card (snake_case or camelCase) take precedence over the query
 * of the model string.
 */
function parameters(
  params: JsonObject,
  query: ReadonlyMap<string, string>,
  hasTools: boolean,
  official: boolean,
): Record<string, Json> {
  const body: Record<string, Json> = {};
  const read = (name: string): Json | undefined =>
    params[name] ?? params[name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];
  const number = (name: string, wire = name, alias = name) => {
    const given = read(name) ?? query.get(name) ?? query.get(alias);
    const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof value === 'number' && Number.isFinite(value)) body[wire] = value;
  };
  const word = (name: string, wire = name) => {
    const value = read(name) ?? query.get(name);
    if (typeof value === 'string' && value !== '') body[wire] = value;
  };
  number('max_tokens', official ? 'max_completion_tokens' : 'max_tokens');
  number('temperature', 'temperature', 'temp');
  number('top_p');
  number('presence_penalty');
  number('frequency_penalty');
  if (!official) for (const name of ['top_k', 'min_p', 'repetition_penalty']) number(name);
  word('verbosity');
  const effort = read('reasoning') ?? read('reasoning_effort') ?? query.get('reasoning');
  if (effort === false || /^(?:off|false)$/.test(String(effort))) body.reasoning_effort = 'none';
  // Chat completions have no value for `on` or for token budgets, so the server's default applies.
  else if (typeof effort === 'string' && efforts.has(effort)) body.reasoning_effort = effort;
  word('service_tier');
  if (body.service_tier === 'fast') body.service_tier = 'priority';
  const stop = read('stop_sequences');
  if (Array.isArray(stop) && stop.length > 0) body.stop = stop;
  const parallel = read('parallel_tool_calls');
  if (hasTools && typeof parallel === 'boolean') body.parallel_tool_calls = parallel;
  return body;
}

function wireMessages(request: ModelRequest, tools: WireTools, origin: string): WireMessage[] {
  const wire: WireMessage[] = [];
  if (request.instruction !== '') wire.push({ role: 'system', content: request.instruction });
  for (const message of request.messages) appendMessage(wire, message, tools, origin);
  return wire;
}

function appendMessage(wire: WireMessage[], message: Message, tools: WireTools, origin: string): void {
  switch (message.role) {
    case 'user':
      wire.push({ role: 'user', content: userContent(message.content) });
      return;
    case 'assistant':
      wire.push(assistantMessage(message, tools, origin));
      return;
    case 'tool': {
      // A tool message can hold only text, so images follow in a user message after all results.
      const pictures: WirePart[] = [];
      for (const { callId, result } of message.results) {
        wire.push({ role: 'tool', tool_call_id: callId, content: resultForModel(result) });
        const images = result.content.filter((block) => block.type === 'image');
        if (images.length === 0) continue;
        pictures.push({ type: 'text', text: `Returned by tool call ${callId}:` }, ...images.map(userPart));
      }
      if (pictures.length > 0) wire.push({ role: 'user', content: pictures });
    }
  }
}

function assistantMessage(message: AssistantMessage, tools: WireTools, origin: string): WireMessage {
  const text = textOf(message.content);
  const back = message.fromProvider === undefined ? undefined : sentBack(message, origin, text);
  const calls = callsAsWritten(message, origin).map((call) => ({
    ...back?.ofCall(call.id),
    id: call.id,
    type: 'function' as const,
    function: { name: nameOnWire(call, tools), arguments: argumentsOnWire(call) },
  }));
  // Servers reject an empty tool_calls array, and an assistant message without content or calls.
  const usual: WireMessage =
    calls.length === 0
      ? { role: 'assistant', content: text }
      : { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
  if (back === undefined) return usual;
  return { ...back.message, ...usual, ...(back.content && { content: back.content }) };
}

function userContent(content: readonly ContentBlock[]): string | WirePart[] {
  const plain = content.every((block) => block.type === 'text' || block.type === 'resource_link');
  return plain ? textOf(content) : content.map(userPart);
}

function userPart(block: ContentBlock): WirePart {
  if (block.type === 'image') {
    return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } };
  }
  if (block.type === 'audio' && /^audio\/(wav|mp3|mpeg)$/.test(block.mimeType)) {
    const format = block.mimeType === 'audio/wav' ? 'wav' : 'mp3';
    return { type: 'input_audio', input_audio: { data: block.data, format } };
  }
  if (block.type === 'resource') return filePart(block);
  return { type: 'text', text: textOf([block]) };
}

/** Makes a file part: a text file as text with its name, any other file as bytes. */
function filePart({ uri, mimeType, text, blob }: Extract<ContentBlock, { type: 'resource' }>): WirePart {
  if (blob === undefined)
    return { type: 'text', text: `File ${uri}${mimeType ? ` (${mimeType})` : ''}:\n${text ?? ''}` };
  const filename = uri.slice(uri.lastIndexOf('/') + 1);
  const data = `data:${mimeType ?? 'application/octet-stream'};base64,${blob}`;
  return { type: 'file', file: { filename, file_data: data } };
}
