import Anthropic from '@anthropic-ai/sdk';
import { isRecord } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import { wordOf } from './error-words';
import type { HttpTransport } from './http-transport';
import { MessagesClient } from './messages-client';
import { messagesBody } from './messages-request';
import { MessagesReader } from './messages-stream';
import { takesSchemas } from './messages-thinking';
import { type Fault, messageOf, statusFault, type Target, unreachable } from './openai-errors';
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
    body: (request, { origin, tools, format, continued, refused }) =>
      messagesBody(request, endpoint, tools, { origin, schema: format?.schema, continued, refused }),
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
  // The body is `{type: 'error', error: {type, message}}`.
  const body: unknown = error.error;
  const inner = isRecord(body) && isRecord(body.error) ? body.error : body;
  const type = isRecord(inner) ? wordOf(inner.type) : '';
  const found = statusFault(
    { status: error.status, headers: error.headers, said: messageOf(inner ?? error.message), code: type, param: '' },
    target,
  );
  // The provider itself names the kind of error; another server has no such path.
  if (error.status !== 404 || type === 'not_found_error') return found;
  const next = "If it knows only OpenAI's chat completions, set 'wire: chat' under 'anthropic' in fast-agent.yaml.";
  return { ...found, message: `${found.message} ${next}` };
}
