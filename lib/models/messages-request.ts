import type Anthropic from '@anthropic-ai/sdk';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import { isRecord } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { ModelRequest, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, ContentBlock, Message, ToolCall, ToolResult } from '@/lib/runtime/record/messages';
import { textOf } from '@/lib/runtime/record/messages';
import { resultText } from '@/lib/runtime/record/result-text';
import { callIdOnWire } from './call-id';
import { callsAsWritten } from './from-provider';
import { needsThinkingBack, thinkingMembers } from './messages-thinking';
import { argumentsOnWire, nameOnWire, type WireTools } from './openai-request';
import { type Dispensable, leaveOutRefused } from './refused-parameters';
import { RequestParams } from './request-params';
import type { WireBody, WireRequest } from './wire-model';

type WireMessage = { readonly role: 'user' | 'assistant'; readonly content: Block[] };
type Block = Anthropic.ContentBlockParam;
type ShownBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam;
type Params = Anthropic.MessageCreateParamsStreaming;

/** A point up to which the provider keeps the request for the next one. A request has at most four. */
const cachePoint = { cache_control: { type: 'ephemeral' as const } };
/** The points in the conversation: after the last two messages of the user's side. */
const historyPoints = 2;

/** What the format can do without. */
export const messagesDispensable: Dispensable = {
  parameters: [
    { name: 'stream', isOwn: true, words: /\bstreaming\b.*not support|not support\w* streaming/i },
    { name: 'thinking' },
    { name: 'thinking.type', isChoice: true, alongWith: 'thinking', words: /\badaptive thinking\b.*not support/i },
    // A budget is no part of its own: without it the model does not think.
    { name: 'thinking.budget_tokens', alongWith: 'thinking' },
    { name: 'thinking.display', isOwn: true },
    ...['output_config.effort', 'temperature', 'top_p', 'top_k', 'service_tier', 'stop_sequences', 'tool_choice'].map(
      (name) => ({ name }),
    ),
  ],
  sentBack: [],
};

/**
 * Returns the body of a request to Anthropic's Messages. `origin` is what `fromProvider` of an answer must have to go back.
 * `format` asks for an answer that fits its schema. `continued` is a paused answer, which the model goes on with.
 */
export function messagesBody(
  request: ModelRequest,
  { model, cacheMode }: Pick<Endpoint, 'model' | 'cacheMode'>,
  { tools, ...more }: WireRequest,
): WireBody {
  const params = new RequestParams(request.requestParams, model.query);
  const whole = more.continued ? [...request.messages, more.continued] : request.messages;
  const messages = wireMessages(whole, tools, more.origin);
  const mayThink = !needsThinkingBack(model.name) || isThoughtOver(whole, more.origin);
  const { output_config: effort, ...thinking } = thinkingMembers(model.name, params, mayThink);
  const format = more.format && { format: { type: 'json_schema' as const, schema: more.format.schema } };
  if (cacheMode === 'auto') markHistory(messages);
  const body: Omit<Params, 'tools'> & { readonly temperature?: number } = {
    model: model.name,
    stream: true,
    ...thinking,
    ...((effort || format) && { output_config: { ...effort, ...format } }),
    ...otherMembers(params, request.tools.length > 0),
    ...(request.instruction.trim() !== '' && {
      system: [{ type: 'text', text: request.instruction, ...(cacheMode !== 'off' && cachePoint) }],
    }),
    messages,
  };
  const written: Record<string, unknown> = { ...body };
  const ignored = leaveOutRefused(written, more.refused, messagesDispensable);
  const json = exactJson(written);
  if (request.tools.length === 0) return { json, written, ignored };
  const offered = toolsJson(request.tools, tools, cacheMode !== 'off');
  return { json: `${json.slice(0, -1)},"tools":${offered}}`, written, ignored };
}

function otherMembers(params: RequestParams, hasTools: boolean): Partial<Params> {
  const stops = params.texts('stop_sequences').filter((text) => text.trim() !== '');
  const parallel = params.boolean('parallel_tool_calls');
  const tier = (['auto', 'standard_only'] as const).find((known) => known === params.word('service_tier'));
  return {
    ...(stops.length > 0 && { stop_sequences: [...stops] }),
    ...(hasTools && parallel === false && { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(tier !== undefined && { service_tier: tier }),
  };
}

/** Every call of an agent has the same tools array, so it is serialised once. */
const serialised = new WeakMap<readonly ToolDescriptor[], Map<boolean, string>>();

function toolsJson(tools: readonly ToolDescriptor[], { toWire }: WireTools, isCached: boolean): string {
  const known = serialised.get(tools)?.get(isCached);
  if (known !== undefined) return known;
  const definitions = tools.map(
    ({ name, description, inputSchema }, index): Anthropic.Tool => ({
      name: toWire.get(name) ?? name,
      ...(description !== '' && { description }),
      input_schema: { properties: {}, ...inputSchema, type: 'object' },
      ...(isCached && index === tools.length - 1 && cachePoint),
    }),
  );
  const json = JSON.stringify(definitions);
  serialised.set(tools, (serialised.get(tools) ?? new Map()).set(isCached, json));
  return json;
}

function wireMessages(messages: readonly Message[], tools: WireTools, origin: string): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const content = contentOf(message, tools, origin);
    // The provider refuses messages without content.
    if (content.length > 0) wire.push({ role: message.role === 'assistant' ? 'assistant' : 'user', content });
  }
  // A conversation begins with the user's side.
  if (wire[0]?.role !== 'user') wire.unshift({ role: 'user', content: [{ type: 'text', text: '(No text)' }] });
  return wire;
}

function contentOf(message: Message, tools: WireTools, origin: string): Block[] {
  switch (message.role) {
    case 'user':
      return message.content.flatMap(shownBlocks);
    case 'assistant':
      return assistantBlocks(message, tools, origin);
    case 'tool':
      return message.results.map(({ callId, result }) => ({
        type: 'tool_result',
        tool_use_id: callIdOnWire(callId),
        ...(result.isError && { is_error: true }),
        ...resultContent(result),
      }));
  }
}

function assistantBlocks(message: AssistantMessage, tools: WireTools, origin: string): Block[] {
  const call = (one: ToolCall): Block => ({
    type: 'tool_use',
    id: callIdOnWire(one.id),
    name: nameOnWire(one, tools),
    input: parseExactJson(argumentsOnWire(one)) ?? {},
  });
  const { content } = message;
  const toolCalls = callsAsWritten(message, origin);
  const layout = layoutOf(message, origin);
  if (layout === undefined) return [...content.flatMap(shownBlocks), ...toolCalls.map(call)];
  return layout.flatMap((part): Block[] => {
    if (typeof part.text === 'number') return content.slice(part.text, part.text + 1).flatMap(shownBlocks);
    if (typeof part.call === 'number') return toolCalls.slice(part.call, part.call + 1).map(call);
    if (typeof part.data === 'string') return [{ type: 'redacted_thinking', data: part.data }];
    if (typeof part.thinking !== 'string' || typeof part.signature !== 'string') return [];
    return [{ type: 'thinking', thinking: part.thinking, signature: part.signature }];
  });
}

/** Returns the order of text, calls and thinking in an answer of this provider, or `undefined` if there is none to keep. */
function layoutOf({ content, toolCalls, fromProvider }: AssistantMessage, origin: string) {
  const layout = fromProvider?.origin === origin ? fromProvider.data.layout : undefined;
  if (!Array.isArray(layout)) return undefined;
  const parts = layout.filter(isRecord);
  // Every call needs its place, because its result follows.
  const isWhole =
    parts.filter(({ text }) => typeof text === 'number').length === content.length &&
    parts.filter(({ call }) => typeof call === 'number').length === toolCalls.length;
  return isWhole ? parts : undefined;
}

/** True unless the conversation ends in results of calls that were made without thinking. */
function isThoughtOver(messages: readonly Message[], origin: string): boolean {
  if (messages.at(-1)?.role !== 'tool') return true;
  const last = messages.findLast((message) => message.role === 'assistant');
  return last !== undefined && layoutOf(last, origin) !== undefined;
}

function resultContent(result: ToolResult): Pick<Anthropic.ToolResultBlockParam, 'content'> {
  // The result of a failed call may be text alone.
  if (result.isError) return { content: [{ type: 'text', text: resultText(result).trim() || 'The call failed.' }] };
  const shown = result.content.filter((block) => block.type !== 'text' && shownBlocks(block)[0]?.type !== 'text');
  const text = resultText({ ...result, content: result.content.filter((block) => !shown.includes(block)) });
  const blocks = [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...shown.flatMap(shownBlocks)];
  return blocks.length === 0 ? {} : { content: blocks };
}

type ImageType = Anthropic.Base64ImageSource['media_type'];
const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const isImageType = (type: string): type is ImageType => imageTypes.has(type);

/** Returns the block as the model sees it, or nothing for a blank text. Names what the provider cannot show. */
function shownBlocks(block: ContentBlock): ShownBlock[] {
  if (block.type === 'image' && isImageType(block.mimeType)) {
    const { data, mimeType } = block;
    return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
  }
  if (block.type === 'resource') return fileBlocks(block);
  const text = textOf([block]);
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Returns a PDF as a document, a picture as a picture, and a file of text as text with its name. */
function fileBlocks(file: Extract<ContentBlock, { type: 'resource' }>): ShownBlock[] {
  const { uri, mimeType = '', text, blob } = file;
  const title = uri.slice(uri.lastIndexOf('/') + 1);
  if (blob !== undefined && mimeType === 'application/pdf') {
    const source = { type: 'base64' as const, media_type: 'application/pdf' as const, data: blob };
    return [{ type: 'document', source, ...(title !== '' && { title }) }];
  }
  if (blob !== undefined && isImageType(mimeType)) {
    return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data: blob } }];
  }
  const isText = blob !== undefined && (mimeType.startsWith('text/') || mimeType === 'application/json');
  const written = text ?? (isText ? Buffer.from(blob, 'base64').toString('utf8') : undefined);
  if (written === undefined) return [{ type: 'text', text: textOf([file]) }];
  return [{ type: 'text', text: `File ${uri}${mimeType ? ` (${mimeType})` : ''}:\n${written}` }];
}

/** Marks the end of the conversation, and where it ended in the request before. */
function markHistory(messages: readonly WireMessage[]): void {
  for (const { content } of messages.filter(({ role }) => role === 'user').slice(-historyPoints)) {
    const last = content.at(-1);
    if (last !== undefined) content[content.length - 1] = { ...last, ...cachePoint } as Block;
  }
}
