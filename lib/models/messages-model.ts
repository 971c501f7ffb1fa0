import Anthropic from '@anthropic-ai/sdk';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import { errorWords } from './error-words';
import type { HttpTransport } from './http-transport';
import { MessagesClient } from './messages-client';
import { messagesBody, messagesDispensable } from './messages-request';
import { MessagesReader } from './messages-stream';
import { takesSchemas } from './messages-thinking';
import { type Fault, statusFault, type Target, unreachable } from './openai-errors';
import { isMessagesSchema } from './strict-schema';
import type { Wire } from './wire-model';

/** The wire of Anthropic's Messages. Source: platform.claude.com/docs/en/api/messages. */
export function messagesWire(endpoint: Endpoint, transport: HttpTransport): Wire {
  let client: MessagesClient | undefined;
  return {
    name: 'messages',
    post(body, options) {
      client ??= new MessagesClient(endpoint, transport);
      return client.post('/v1/messages', { ...options, body, stream: true }).asResponse();
    },
    takesFormat: ({ schema }) => takesSchemas(endpoint.model.name) && isMessagesSchema(schema),
    dispensable: messagesDispensable,
    body: (request, more) => messagesBody(request, endpoint, more),
    async read(stream, options) {
      const reader = new MessagesReader(options);
      const answer = await reader.read(stream);
      return answer.ok ? { ...answer, isPaused: reader.isPaused } : answer;
    },
    faultOf: messagesFault,
  };
}

/** Turns an error of the Anthropic client into a fault. Rethrows any other error, which is a bug. */
function messagesFault(error: unknown, target: Target): Fault {
  if (error instanceof Anthropic.APIConnectionError) return unreachable(error, target);
  if (!(error instanceof Anthropic.APIError) || typeof error.status !== 'number') throw error;
  const words = errorWords(error.error ?? error.message);
  const found = statusFault({ status: error.status, headers: error.headers, ...words }, target);
  // The provider itself names the kind of error; another server has no such path.
  if (error.status !== 404 || words.code === 'not_found_error') return found;
  const next = "If it knows only OpenAI's chat completions, set 'wire: chat' under 'anthropic' in fast-agent.yaml.";
  return { ...found, message: `${found.message} ${next}` };
}
