import type OpenAI from 'openai';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { NamedModel } from '@/lib/cards/models/name-model';
import type { ModelRequest, ResponseFormat, ToolDescriptor } from '@/lib/runtime/ports';
import type { AssistantMessage, ContentBlock, Message, ToolCall, ToolResult } from '@/lib/runtime/record/messages';
import { textOf } from '@/lib/runtime/record/messages';
import { resultForModel } from '@/lib/runtime/record/result-text';
import { formatName } from './answer-format';
import { callIdOnWire } from './call-id';
import { callsAsWritten } from './from-provider';
import { argumentsOnWire, nameOnWire, type WireTools } from './openai-request';
import { type Dispensable, leaveOutRefused } from './refused-parameters';
import { RequestParams } from './request-params';
import { isStrictSchema } from './strict-schema';
import type { WireBody, WireRequest } from './wire-model';

type Item = OpenAI.Responses.ResponseInputItem;
type Part =
  | OpenAI.Responses.ResponseInputText
  | OpenAI.Responses.ResponseInputImage
  | OpenAI.Responses.ResponseInputFile;
type Params = OpenAI.Responses.ResponseCreateParamsStreaming;
type Effort = OpenAI.ReasoningEffort;

/** The smallest limit of output tokens that the provider takes. */
const leastTokens = 16;

/** What the format can do without. `store` is not among it: a request without it would leave the conversation at the provider. */
export const responsesDispensable: Dispensable = {
  parameters: [
    { name: 'stream', isOwn: true, words: /\bstreaming\b.*not support|not support\w* streaming/i },
    // OpenAI gives summaries to verified organisations alone, and models without reasoning have none to encrypt.
    { name: 'reasoning.summary', isOwn: true, words: /reasoning[._ ]summar/i },
    {
      name: 'include',
      isOwn: true,
      words: /encrypted[_ ]content.{0,60}(?:not support|unsupported)|['"`]include\b/i,
    },
    ...['reasoning', 'reasoning.effort', 'text.verbosity', 'max_output_tokens', 'temperature', 'top_p'].map((name) => ({
      name,
    })),
    ...['service_tier', 'parallel_tool_calls'].map((name) => ({ name })),
  ],
  sentBack: [],
};

/**
 * Returns the body of a request to OpenAI's Responses. The provider keeps nothing of the conversation, so its reasoning comes back
 * encrypted. `origin` is what `fromProvider` of an answer must have to go back.
 */
export function responsesBody(
  request: ModelRequest,
  model: NamedModel,
  { origin, format, refused, tools }: WireRequest,
): WireBody {
  const params = new RequestParams(request.requestParams, model.query);
  const body: Omit<Params, 'tools'> = {
    model: model.name,
    stream: true,
    store: false,
    ...(reasons(model.name) && { include: ['reasoning.encrypted_content' as const] }),
    ...(request.instruction.trim() !== '' && { instructions: request.instruction }),
    ...members(params, request.tools.length > 0),
    ...reasoningMember(params, model.name),
    ...textMember(params, format),
    input: request.messages.flatMap((message) => itemsOf(message, tools, origin)),
  };
  const written: Record<string, unknown> = { ...body };
  const ignored = leaveOutRefused(written, refused, responsesDispensable);
  const json = JSON.stringify(written);
  if (request.tools.length === 0) return { json, written, ignored };
  return { json: `${json.slice(0, -1)},"tools":${toolsJson(request.tools, tools)}}`, written, ignored };
}

/** False for the models of OpenAI that refuse to be asked for their reasoning, because they have none. */
function reasons(name: string): boolean {
  return !/^(?:ft:)?(?:gpt-[34]|chatgpt-4)/i.test(name);
}

function members(params: RequestParams, hasTools: boolean): Partial<Params> {
  const maxTokens = params.number('max_tokens');
  const temperature = params.number('temperature', 'temp');
  const topP = params.number('top_p');
  const tier = params.word('service_tier');
  const parallel = params.boolean('parallel_tool_calls');
  return {
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(leastTokens, maxTokens) }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(tier !== undefined && { service_tier: tierOf(tier) }),
    ...(hasTools && parallel !== undefined && { parallel_tool_calls: parallel }),
  };
}

const tiers = ['auto', 'default', 'flex', 'scale', 'priority'] as const;

function tierOf(word: string): Params['service_tier'] {
  return word === 'fast' ? 'priority' : tiers.find((tier) => tier === word);
}

const efforts: readonly NonNullable<Effort>[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** Without a setting nothing is sent, so the model's default holds. The format has no value for budgets of tokens. */
function reasoningMember(params: RequestParams, model: string): Pick<Params, 'reasoning'> {
  const reasoning = params.reasoning();
  if (reasoning === undefined) return {};
  if (reasoning.kind === 'off') return { reasoning: { effort: leastEffort(model) } };
  const effort = reasoning.kind === 'effort' ? efforts.find((known) => known === reasoning.effort) : undefined;
  return { reasoning: { summary: 'auto', ...(effort && { effort }) } };
}

/** The models before 5.1 always think, and refuse `none`. */
function leastEffort(model: string): NonNullable<Effort> {
  if (/^(?:o\d|codex|gpt-5-codex)/i.test(model)) return 'low';
  return /^gpt-5(?:-mini|-nano)?(?:-\d{4}-\d\d-\d\d)?$/i.test(model) ? 'minimal' : 'none';
}

function textMember(params: RequestParams, format: ResponseFormat | undefined): Pick<Params, 'text'> {
  const word = params.word('verbosity');
  const verbosity = (['low', 'medium', 'high'] as const).find((known) => known === word);
  if (verbosity === undefined && format === undefined) return {};
  return {
    text: {
      ...(verbosity && { verbosity }),
      ...(format && {
        format: {
          type: 'json_schema' as const,
          name: formatName(format.name),
          schema: format.schema,
          strict: isStrictSchema(format.schema),
        },
      }),
    },
  };
}

/** Every call of an agent has the same tools array, so it is serialised once. */
const serialised = new WeakMap<readonly ToolDescriptor[], string>();

function toolsJson(tools: readonly ToolDescriptor[], { toWire }: WireTools): string {
  const known = serialised.get(tools);
  if (known !== undefined) return known;
  const definitions = tools.map(
    ({ name, description, inputSchema }): OpenAI.Responses.FunctionTool => ({
      type: 'function',
      name: toWire.get(name) ?? name,
      ...(description !== '' && { description }),
      parameters: { type: 'object', properties: {}, ...inputSchema },
      // The provider makes schemas strict by itself unless it is told otherwise.
      strict: false,
    }),
  );
  const json = JSON.stringify(definitions);
  serialised.set(tools, json);
  return json;
}

function itemsOf(message: Message, tools: WireTools, origin: string): Item[] {
  switch (message.role) {
    case 'user': {
      const content = message.content.flatMap(partsOf);
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    case 'assistant':
      return assistantItems(message, tools, origin);
    case 'tool':
      return message.results.map(({ callId, result }) => ({
        type: 'function_call_output',
        call_id: callIdOnWire(callId),
        output: outputOf(result),
      }));
  }
}

function assistantItems(message: AssistantMessage, tools: WireTools, origin: string): Item[] {
  const { content } = message;
  const toolCalls = callsAsWritten(message, origin);
  const call = (one: ToolCall, id?: unknown): Item => ({
    type: 'function_call',
    ...(typeof id === 'string' && { id }),
    call_id: callIdOnWire(one.id),
    name: nameOnWire(one, tools),
    arguments: argumentsOnWire(one),
  });
  const layout = layoutOf(message, origin);
  if (layout === undefined) {
    const text = textOf(content);
    const said: Item[] = text.trim() === '' ? [] : [{ role: 'assistant', content: text }];
    return [...said, ...toolCalls.map((one) => call(one))];
  }
  return layout.flatMap((part): Item[] => {
    if (typeof part.text === 'number') return content.slice(part.text, part.text + 1).map((block) => said(block, part));
    if (typeof part.call === 'number') {
      return toolCalls.slice(part.call, part.call + 1).map((one) => call(one, part.id));
    }
    return isReasoning(part) ? [part] : [];
  });
}

const phases = ['commentary', 'final_answer'] as const;

function said(block: ContentBlock, part: Readonly<Record<string, unknown>>): Item {
  const phase = phases.find((known) => known === part.phase);
  const text = textOf([block]);
  if (typeof part.id !== 'string') return { role: 'assistant', content: text, ...(phase && { phase }) };
  return {
    type: 'message',
    role: 'assistant',
    id: part.id,
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
    ...(phase && { phase }),
  };
}

function isReasoning(item: object): item is OpenAI.Responses.ResponseReasoningItem {
  return 'type' in item && item.type === 'reasoning' && 'summary' in item && Array.isArray(item.summary);
}

/** Returns the order of the items in an answer of this provider, or `undefined` if there is none to keep. */
function layoutOf({ content, toolCalls, fromProvider }: AssistantMessage, origin: string): JsonObject[] | undefined {
  const layout = fromProvider?.origin === origin ? fromProvider.data.layout : undefined;
  if (!Array.isArray(layout)) return undefined;
  const parts = layout.filter((part): part is JsonObject => isRecord(part));
  // Every call needs its place, because its result follows.
  const isWhole =
    parts.filter(({ text }) => typeof text === 'number').length === content.length &&
    parts.filter(({ call }) => typeof call === 'number').length === toolCalls.length;
  return isWhole ? parts : undefined;
}

function outputOf(result: ToolResult): string | OpenAI.Responses.ResponseFunctionCallOutputItemList {
  const shown = result.content.filter((block) => block.type !== 'text' && partsOf(block)[0]?.type !== 'input_text');
  if (shown.length === 0) return resultForModel(result);
  const text = resultForModel({ ...result, content: result.content.filter((block) => !shown.includes(block)) });
  const said = text.trim() === '' ? [] : [{ type: 'input_text' as const, text }];
  return [...said, ...shown.flatMap(partsOf)];
}

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Returns the block as the model sees it, or nothing for a blank text. Names what the provider cannot show. */
function partsOf(block: ContentBlock): Part[] {
  if (block.type === 'image' && imageTypes.has(block.mimeType)) return [picture(block.mimeType, block.data)];
  if (block.type === 'resource') return filePart(block);
  const text = textOf([block]);
  return text.trim() === '' ? [] : [{ type: 'input_text', text }];
}

function picture(mimeType: string, data: string): Part {
  return { type: 'input_image', image_url: `data:${mimeType};base64,${data}`, detail: 'auto' };
}

/** Makes a part of a file: a text with its name, a picture, or any other file as bytes. */
function filePart({ uri, mimeType, text, blob }: Extract<ContentBlock, { type: 'resource' }>): Part[] {
  if (blob === undefined) {
    return [{ type: 'input_text', text: `File ${uri}${mimeType ? ` (${mimeType})` : ''}:\n${text ?? ''}` }];
  }
  if (mimeType !== undefined && imageTypes.has(mimeType)) return [picture(mimeType, blob)];
  const filename = uri.slice(uri.lastIndexOf('/') + 1) || 'file';
  const data = `data:${mimeType ?? 'application/octet-stream'};base64,${blob}`;
  return [{ type: 'input_file', filename, file_data: data }];
}
