import { setMaxListeners } from 'node:events';
import { APIError } from 'openai';
import type { Clock } from '@/lib/base/clock';
import type { ModelPort, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import { AnswerRoom, largestAnswer } from './answer-room';
import { createHttpTransport } from './http-transport';
import type { ModelName } from './model-name';
import { RepeatingClient } from './openai-client';
import { clientFault, type Fault, fault } from './openai-errors';
import { requestBody, wireTools } from './openai-request';
import { readAnswer } from './openai-stream';
import { providerName } from './provider-name';
import { cancelled, failed } from './response';

type Control = Parameters<ModelPort['complete']>[1];

export interface OpenAiModel {
  complete(request: ModelRequest, model: ModelName, control: Control): Promise<ModelResponse>;
  /** See `providerName`. */
  providerOf(model: ModelName): string;
}

const officialUrl = 'https://api.openai.com/v1';
/** fast-agent's `llm_retries`. */
const maxRetries = 2;
const firstBackoffMs = 500;
const longestWaitMs = 300_000;

const jsonHeaders = { 'content-type': 'application/json' };

/** Connections are the process's, shared by every run. */
const transport = createHttpTransport();
/** So is the memory for answers that are being received. */
const room = new AnswerRoom();

/**
 * Chat completions of api.openai.com or any server of that wire format (`OPENAI_BASE_URL`). Streams; tries again after
 * 429, 5xx and lost connections, as long as nothing of an answer was received. An answer of more than `maxAnswerBytes`
 * is an error, and is not read to its end. The key is in no message it gives.
 */
export function openAiModel(
  env: { readonly OPENAI_API_KEY?: string | undefined; readonly OPENAI_BASE_URL?: string | undefined },
  clock: Clock,
  maxAnswerBytes: number = largestAnswer,
): OpenAiModel {
  const key = env.OPENAI_API_KEY?.trim() ?? '';
  const baseUrl = (env.OPENAI_BASE_URL?.trim() || officialUrl).replace(/\/+$/, '');
  const official = baseUrl === officialUrl;
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
  const redact = (text: string) => (key.length < 8 ? text : text.replaceAll(key, '***'));
  let client: RepeatingClient | undefined;

  return {
    providerOf: (model) => providerName(host ?? '', model.provider),
    async complete(request, model, control) {
      const refusal = refuse(model);
      if (refusal !== undefined) return failed(refusal.code, refusal.message);
      const begun = clock.now();
      // An attempt takes two requests where a kept connection turns out to be closed.
      let requests = 0;
      const count = (made: number) => {
        requests += made;
      };
      for (let attempts = 1; ; attempts += 1) {
        const attempt = await send(request, model, control, begun, count);
        if (attempt.ok) return { ...attempt, requests };
        if (control.signal.aborted) return cancelled(requests);
        const wait = waitMs(attempt.fault, attempts, request.step);
        const message = redact(attempt.fault.message);
        if (wait === undefined) return failed(attempt.fault.code, message, requests);
        const again = `Trying again in ${(wait / 1000).toFixed(1)} s (${attempts} of ${maxRetries}).`;
        control.log({ level: 'warning', code: 'model_retry', message: `${message} ${again}` });
        await clock.sleep(wait, control.signal);
        if (control.signal.aborted) return cancelled(requests);
      }
    },
  };

  /** What can be said without asking the server. */
  function refuse(model: ModelName): Fault | undefined {
    if (host === undefined) {
      return fault('model_unreachable', `OPENAI_BASE_URL is not a URL: '${redact(baseUrl)}'.`, false);
    }
    if (!official) return undefined;
    if (model.provider !== undefined && !openAiProviders.has(model.provider)) {
      const next = 'Name an OpenAI model, or set OPENAI_BASE_URL to a server of the same format that offers this one.';
      return fault(
        'model_not_found',
        `Provider '${model.provider}' of model '${model.name}' is not supported. ${next}`,
        false,
      );
    }
    if (key !== '') return undefined;
    const next = 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs none, and start again.';
    return fault('model_auth', `Model '${model.name}' needs an API key. ${next}`, false);
  }

  async function send(
    request: ModelRequest,
    model: ModelName,
    control: Control,
    begun: number,
    count: (requests: number) => void,
  ) {
    const options = { apiKey: key || 'none', baseURL: baseUrl, organization: null, project: null };
    client ??= new RepeatingClient(options, transport);
    const tools = wireTools(request.tools);
    // Hundreds of requests may wait on one signal; each takes its listener away again.
    setMaxListeners(0, control.signal);
    try {
      const body = requestBody(request, model, tools, official);
      const call = { body, headers: jsonHeaders, signal: control.signal, stream: true };
      const response = await client
        .post('/chat/completions', call)
        .asResponse()
        .catch((error: unknown) => {
          count(requestsBefore(error));
          throw error;
        });
      count(transport.requestsOf(response.headers));
      const stream = transport.bodyOf(response);
      if (stream === undefined) throw new Error('Bug: a response that the transport did not make');
      let firstTokenMs: number | undefined;
      const answer = await readAnswer(stream, {
        idleMs: idleMs(request),
        maxBytes: maxAnswerBytes,
        room,
        now: () => clock.now(),
        idPrefix: request.step,
        fromWire: tools.fromWire,
        onFirst: () => {
          firstTokenMs = clock.now() - begun;
        },
        onDelta: (text) => control.onDelta(text),
      });
      return answer.ok && firstTokenMs !== undefined ? { ...answer, firstTokenMs } : answer;
    } catch (error) {
      if (control.signal.aborted) return { ok: false as const, fault: fault('cancelled', 'cancelled', false) };
      return {
        ok: false as const,
        fault: clientFault(error, { host: host ?? '', model: model.name, now: clock.now() }),
      };
    }
  }
}

/** The package's errors have the headers of an error answer, or as their cause what the transport rejected with. */
function requestsBefore(error: unknown): number {
  if (!(error instanceof Error)) return 1;
  const outcome = error instanceof APIError && error.headers ? error.headers : error.cause;
  return outcome instanceof Headers || outcome instanceof Error ? transport.requestsOf(outcome) : 1;
}

const openAiProviders: ReadonlySet<string> = new Set([
  'openai',
  'generic',
  'responses',
  'codexresponses',
  'openresponses',
]);

/** Undefined: do not try again. The step's name spreads siblings that were turned away together. */
function waitMs(problem: Fault, attempts: number, step: string): number | undefined {
  if (!problem.retry || attempts > maxRetries) return undefined;
  if (problem.retryAfterMs !== undefined)
    return problem.retryAfterMs <= longestWaitMs ? problem.retryAfterMs : undefined;
  let hash = 0;
  for (let i = 0; i < step.length; i += 1) hash = (hash * 31 + step.charCodeAt(i)) % 1_000;
  return firstBackoffMs * 2 ** (attempts - 1) + hash / 4;
}

/** `streaming_timeout` of request_params, in seconds: the longest pause within an answer. */
function idleMs(request: ModelRequest): number | undefined {
  const seconds = request.requestParams.streaming_timeout ?? request.requestParams.streamingTimeout;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}
