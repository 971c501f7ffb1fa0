import {
  type CreateMessageRequest,
  type CreateMessageResult,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { hideValues } from '@/lib/base/hide-values';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';
import type { ItemEnd, ServerQuestion } from '@/lib/base/pending';
import type { SampleRequest } from '@/lib/runtime/ports';
import { type ContentBlock, type Message, textOf } from '@/lib/runtime/record/messages';
import type { Asking } from './server-help';
import type { ServerSpec } from './server-spec';
import { sealedIn } from './spec-secrets';

type SamplingParams = CreateMessageRequest['params'];

/** What the model has answered before the run was suspended. It is not asked again. */
export interface KnownSample {
  readonly text: string | undefined;
  /** Keeps what it answers now. */
  note(text: string): Promise<void>;
}

/**
 * Makes the model call that a server asks for. With the policy `ask`, a person sees the prompt first and may change it, and then sees
 * the answer, and may change it, before the server gets it. Throws the error that the server gets.
 */
export async function answerSampling(
  asking: Asking,
  { model, policy }: NonNullable<ServerSpec['sampling']>,
  params: SamplingParams,
  known?: KnownSample,
): Promise<CreateMessageResult> {
  const asked: SampleRequest = {
    model,
    instruction: params.systemPrompt ?? 'You are a helpful AI Agent.',
    messages: params.messages.map(toMessage),
    requestParams: requestParamsOf(params),
  };
  const { text, stopped } =
    known?.text === undefined ? await sampled(asking, policy, asked, known) : { text: known.text, stopped: undefined };
  return {
    role: 'assistant',
    content: { type: 'text', text: policy === 'ask' ? await reviewAnswer(asking, text) : text },
    model: model ?? 'default',
    stopReason: stopped ?? 'endTurn',
  };
}

/** Makes the model call. */
async function sampled(
  asking: Asking,
  policy: 'ask' | 'allow',
  asked: SampleRequest,
  known: KnownSample | undefined,
): Promise<{ readonly text: string; readonly stopped: string | undefined }> {
  const { spec, log, help } = asking;
  // The model, and who reviews the prompt, must not see what the server was given.
  const clean = hideValues(asked, sealedIn(spec));
  const request = policy === 'ask' ? await reviewPrompt(asking, clean) : clean;
  const answer = help.sample(request);
  if (answer === undefined) {
    const message = `Server '${spec.name}' asks a model, but no agent is calling it. It was refused.`;
    log.write('warning', 'server_sampling', message);
    throw new McpError(ErrorCode.InvalidRequest, 'A model is available during tool calls only.');
  }
  log.write('info', 'server_sampling', `Server '${spec.name}' asks a model (${asked.messages.length} messages).`);
  const response = await answer;
  if (!response.ok) {
    const message = `Server '${spec.name}' got no answer from the model: ${response.error.message}`;
    log.write('warning', 'server_sampling', message);
    // The server may pass this message on to a model, so it is short. The log has the next step for people.
    throw new McpError(ErrorCode.InternalError, `The model gave no answer (${response.error.code}).`);
  }
  const text = textOf(response.message.content);
  await known?.note(text);
  return { text, stopped: stopReasons[response.message.stopReason] };
}

const promptForm: JsonObject = {
  type: 'object',
  properties: {
    system: { type: 'string', title: 'System prompt' },
    messages: {
      type: 'array',
      title: 'Messages',
      items: {
        type: 'object',
        properties: { role: { type: 'string', enum: ['user', 'assistant'] }, text: { type: 'string' } },
        required: ['role', 'text'],
        additionalProperties: false,
      },
    },
  },
  required: ['system', 'messages'],
  additionalProperties: false,
};

const answerForm: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', title: 'What the server gets' } },
  required: ['text'],
  additionalProperties: false,
};

async function reviewPrompt(asking: Asking, request: SampleRequest): Promise<SampleRequest> {
  const shown: JsonObject = { system: request.instruction, messages: request.messages.map(shownMessage) };
  const edited = await review(asking, 'prompt', shown, promptForm);
  if (edited === undefined) return request;
  const messages = Array.isArray(edited.messages) ? edited.messages : [];
  return {
    ...request,
    instruction: typeof edited.system === 'string' ? edited.system : request.instruction,
    messages: messages.map((one: Json, index: number) => editedMessage(one, request.messages[index])),
  };
}

async function reviewAnswer(asking: Asking, text: string): Promise<string> {
  const edited = await review(asking, 'result', { text }, answerForm);
  return typeof edited?.text === 'string' ? edited.text : text;
}

/** Returns what a person made of it; `undefined` if it was approved as it is. Throws the error of a refusal. */
async function review(
  { spec, log, help, waits, mark, signal }: Asking,
  shows: NonNullable<ServerQuestion['shows']>,
  shown: JsonObject,
  form: JsonObject,
): Promise<JsonObject | undefined> {
  const asked = help.ask({
    what: 'sampling',
    server: { serverName: spec.name, shows, ...(waits && { waits }) },
    arguments: shown,
    form,
    editable: true,
    ...(mark !== undefined && { mark }),
    ...(signal && { signal }),
  });
  if (asked === undefined) {
    const message = `Server '${spec.name}' asks a model. It was refused, because nobody can be asked in this run.`;
    log.write('warning', 'server_sampling', message);
    throw refused();
  }
  const end = await asked;
  if (!isConsent(end)) {
    log.write('info', 'server_sampling', `Server '${spec.name}' asks a model. It was refused by a person.`);
    throw refused();
  }
  return end.answer.decision === 'edit' ? end.answer.arguments : undefined;
}

function isConsent(end: ItemEnd): end is Extract<ItemEnd, { outcome: 'answered' }> {
  return end.outcome === 'answered' && (end.answer.decision === 'approve' || end.answer.decision === 'edit');
}

/** The code is that of the protocol for a request that a user rejects (client/sampling, Error Handling). */
function refused(): McpError {
  return new McpError(-1, 'User rejected sampling request');
}

function blocksOf(message: Message | undefined): readonly ContentBlock[] {
  return message === undefined || message.role === 'tool' ? [] : message.content;
}

/** What is no text is shown as a line such as `[image image/png]`. */
function shownMessage(message: Message): JsonObject {
  return { role: message.role, text: textOf(blocksOf(message)) };
}

/** Images and sounds cannot be changed in a form. They stay in a message whose role stays. */
function editedMessage(edited: Json, original: Message | undefined): Message {
  const { role, text } = isRecord(edited) ? edited : {};
  const isSame = original?.role === role;
  const kept = isSame ? blocksOf(original).filter(({ type }) => type !== 'text') : [];
  const markers = new Set(kept.map((block) => textOf([block])));
  const lines = typeof text === 'string' ? text.split('\n').filter((line) => !markers.has(line)) : [];
  const content: ContentBlock[] = [{ type: 'text', text: lines.join('\n') }, ...kept];
  return role === 'assistant' ? { role, content, toolCalls: [], stopReason: 'end_turn' } : { role: 'user', content };
}

const stopReasons: Readonly<Record<string, string>> = { max_tokens: 'maxTokens', stop_sequence: 'stopSequence' };

type SamplingMessage = SamplingParams['messages'][number];

function toMessage({ role, content }: SamplingMessage): Message {
  const blocks = (Array.isArray(content) ? content : [content]).flatMap((block): ContentBlock[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'image':
      case 'audio':
        return [{ type: block.type, data: block.data, mimeType: block.mimeType }];
      default:
        // Servers cannot use tools, so tool calls and results do not occur.
        return [];
    }
  });
  return role === 'user' ? { role, content: blocks } : { role, content: blocks, toolCalls: [], stopReason: 'end_turn' };
}

function requestParamsOf(params: SamplingParams): JsonObject {
  return {
    max_tokens: params.maxTokens,
    ...(params.temperature !== undefined && { temperature: params.temperature }),
    ...(params.stopSequences !== undefined && { stop_sequences: params.stopSequences }),
  };
}
