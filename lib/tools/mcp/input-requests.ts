import { CreateMessageRequestParamsSchema, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Json, JsonObject } from '@/lib/base/json';
import type { CallTimer } from './call-timer';
import { answerElicitation, type ElicitationParams } from './elicitation';
import type { InputRequest } from './modern-messages';
import { answerSampling, type KnownSample } from './sampling';
import type { ServerHelp } from './server-help';
import { rootsOf } from './server-requests';
import type { CallOptions } from './server-task';

interface Answering {
  /** Tells equal requests of one call apart. */
  readonly mark: string;
  /** The time limit of the call, which stands still while people are asked. */
  readonly timer: CallTimer | undefined;
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal;
  readonly known: KnownSample;
}

/**
 * Answers what a tool or a task of protocol 2026-07-28 needs. Throws if that is refused; the message says what.
 */
export async function answerInput(
  { spec, log, context }: Pick<CallOptions, 'spec' | 'log' | 'context'>,
  { method, params }: InputRequest,
  { mark, timer, signal, known }: Answering,
): Promise<Json> {
  const help: ServerHelp = {
    ask(asked) {
      const end = context.ask?.(asked);
      if (end === undefined) return undefined;
      timer?.pause();
      return end.finally(() => timer?.goOn());
    },
    sample: (request) => context.sample?.(request),
  };
  const asking = { spec, log, help, waits: false, mark, signal };
  switch (method) {
    case 'elicitation/create':
      return asJson(await answerElicitation(asking, readElicitation(params)));
    case 'sampling/createMessage':
      if (!spec.sampling) break;
      return asJson(await answerSampling(asking, spec.sampling, CreateMessageRequestParamsSchema.parse(params), known));
    case 'roots/list':
      return asJson(rootsOf(spec));
  }
  const message = `Server '${spec.name}' asks for '${method}', which is refused.`;
  log.write('warning', 'server_request_refused', message);
  throw new McpError(ErrorCode.InvalidRequest, message);
}

function readElicitation({ message, mode, url, requestedSchema }: JsonObject): ElicitationParams {
  return {
    message: typeof message === 'string' ? message : '',
    mode: typeof mode === 'string' ? mode : undefined,
    url: typeof url === 'string' ? url : undefined,
    requestedSchema,
  };
}

function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value));
}
