import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  type ClientCapabilities,
  type CreateMessageRequest,
  CreateMessageRequestSchema,
  type CreateMessageResult,
  ElicitRequestSchema,
  ErrorCode,
  ListRootsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@/lib/base/json';
import type { ModelResponse, SampleRequest } from '@/lib/runtime/ports';
import { type ContentBlock, type Message, textOf } from '@/lib/runtime/record/messages';
import type { ServerLog } from './server-log';
import type { ServerSpec } from './server-spec';

/** What the unfinished calls of a server offer it in return. */
export interface RequestHelp {
  /** Asks the model, on behalf of the latest unfinished call. Returns `undefined` when there is no call. */
  sample(request: SampleRequest): Promise<ModelResponse> | undefined;
}

/** Returns the client capabilities that the server is told, which are only those that the policy allows. */
export function capabilitiesFor(spec: ServerSpec): ClientCapabilities {
  return {
    ...(spec.roots.length > 0 && { roots: {} }),
    ...(spec.elicitation !== 'none' && { elicitation: { form: {} } }),
    ...(spec.sampling && { sampling: {} }),
  };
}

/**
 * Answers requests from servers: roots from the config, elicitation by the server's elicitation mode, sampling by the
 * project's policy. All other requests are rejected. Each rejection is logged.
 */
export function answerRequests(client: Client, spec: ServerSpec, log: ServerLog, help: RequestHelp): void {
  if (spec.roots.length > 0) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: spec.roots.map(({ uri, name }) => (name === undefined ? { uri } : { uri, name })),
    }));
  }
  if (spec.elicitation !== 'none') {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      const action = spec.elicitation === 'auto-cancel' ? 'cancel' : 'decline';
      const why =
        action === 'cancel'
          ? "It was cancelled, as 'elicitation.mode: auto-cancel' says."
          : 'It was declined: people can answer servers in a later release.';
      const message = `Server '${spec.name}' asks the user '${params.message}'. ${why}`;
      log.write(action === 'cancel' ? 'info' : 'warning', 'server_elicitation', message);
      return { action };
    });
  }
  if (spec.sampling) {
    const { model } = spec.sampling;
    client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(spec, log, help, model, params));
  }
  client.fallbackRequestHandler = ({ method }) => {
    const message = `Server '${spec.name}' asks for '${method}', which is refused. ${adviceFor(method)}`.trim();
    log.write('warning', 'server_request_refused', message);
    return Promise.reject(new McpError(ErrorCode.MethodNotFound, `'${method}' is not offered by this client.`));
  };
}

function adviceFor(method: string): string {
  switch (method) {
    case 'sampling/createMessage':
      return "To let servers use a model, write 'mcp: {sampling: allow}' into callboard.yaml.";
    case 'elicitation/create':
      return "Its 'elicitation.mode' is none.";
    case 'roots/list':
      return "Give it 'roots' in fast-agent.yaml.";
    default:
      return '';
  }
}

async function sample(
  spec: ServerSpec,
  log: ServerLog,
  help: RequestHelp,
  model: string | undefined,
  params: CreateMessageRequest['params'],
): Promise<CreateMessageResult> {
  const answer = help.sample({
    model,
    instruction: params.systemPrompt ?? 'You are a helpful AI Agent.',
    messages: params.messages.map(toMessage),
    requestParams: requestParamsOf(params),
  });
  if (answer === undefined) {
    const message = `Server '${spec.name}' asks a model, but no agent is calling it. It was refused.`;
    log.write('warning', 'server_sampling', message);
    throw new McpError(ErrorCode.InvalidRequest, 'A model is available during tool calls only.');
  }
  log.write('info', 'server_sampling', `Server '${spec.name}' asks a model (${params.messages.length} messages).`);
  const response = await answer;
  if (!response.ok) {
    const message = `Server '${spec.name}' got no answer from the model: ${response.error.message}`;
    log.write('warning', 'server_sampling', message);
    // The server may pass this message on to a model, so it is short. The log has the next step for people.
    throw new McpError(ErrorCode.InternalError, `The model gave no answer (${response.error.code}).`);
  }
  return {
    role: 'assistant',
    content: { type: 'text', text: textOf(response.message.content) },
    model: model ?? 'default',
    stopReason: stopReasons[response.message.stopReason] ?? 'endTurn',
  };
}

const stopReasons: Readonly<Record<string, string>> = { max_tokens: 'maxTokens', stop_sequence: 'stopSequence' };

type SamplingMessage = CreateMessageRequest['params']['messages'][number];

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

function requestParamsOf(params: CreateMessageRequest['params']): JsonObject {
  return {
    max_tokens: params.maxTokens,
    ...(params.temperature !== undefined && { temperature: params.temperature }),
    ...(params.stopSequences !== undefined && { stop_sequences: params.stopSequences }),
  };
}
