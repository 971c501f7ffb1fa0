import { setMaxListeners } from 'node:events';
import { APIError, type ClientOptions } from 'openai';
import type { Clock } from '@/lib/base/clock';
import { hiderOf } from '@/lib/base/hider';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { ModelControl, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import { answerFormat, noteRefusedFormat } from './answer-format';
import { AnswerMemory, largestAnswer } from './answer-memory';
import type { HttpTransport } from './http-transport';
import { RepeatingClient } from './openai-client';
import { clientFault, type Fault, fault } from './openai-errors';
import { requestBody, wireTools } from './openai-request';
import { readAnswer } from './openai-stream';
import { cancelled, failed } from './response';

type Count = (requests: number) => void;

export interface OpenAiModel {
  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse>;
}

const officialUrl = 'https://api.openai.com/v1';
/** The default of fast-agent's `llm_retries`. */
const maxRetries = 2;
const firstBackoffMs = 500;
const longestWaitMs = 300_000;

const jsonHeaders = { 'content-type': 'application/json' };

/** The whole process shares this memory budget for answers. */
const memory = new AnswerMemory();

/**
 * Makes a port for the chat completions of one endpoint: api.openai.com or any compatible server. It streams the answer. It
 * retries after 429, 5xx and lost connections, unless a part of the answer was received. A server that refuses the response
 * format is asked once more without it. An answer of more than `maxAnswerBytes` is an error, and its rest is not read. No
 * message contains the key.
 */
export function openAiModel(
  endpoint: Endpoint,
  clock: Clock,
  transport: HttpTransport,
  maxAnswerBytes: number = largestAnswer,
): OpenAiModel {
  const { address, key = '', model, keyStep, addressSetting } = endpoint;
  const official = address === officialUrl;
  const { host } = new URL(address);
  const hidden = key.length < 8 ? [] : [key];
  const redact = (text: string) => hiderOf(hidden).hide(text);
  let client: RepeatingClient | undefined;

  return {
    complete(request, control) {
      const begun = clock.now();
      return withRetries({ request, control, clock, redact }, (count) => sendOnce(request, control, begun, count));
    },
  };

  /** Makes one attempt. A server that refuses the response format is asked again without it, now and from now on. */
  async function sendOnce(request: ModelRequest, control: ModelControl, begun: number, count: Count) {
    const format = answerFormat(request, endpoint);
    const attempt = await send(request, control, begun, count, format);
    if (attempt.ok || format === undefined || !attempt.fault.refusesFormat) return attempt;
    noteRefusedFormat(request, endpoint, attempt.fault.message);
    const next = 'The instruction alone asks for the form of the answer.';
    control.log({ level: 'info', code: 'answer_format_refused', message: `${redact(attempt.fault.message)} ${next}` });
    return control.signal.aborted ? attempt : send(request, control, begun, count);
  }

  async function send(request: ModelRequest, control: ModelControl, begun: number, count: Count, format?: string) {
    client ??= new RepeatingClient(clientOptions(endpoint), transport);
    const tools = wireTools(request.tools);
    // Node warns about more than ten listeners, but hundreds of requests may listen to one signal. Each removes its
    // listener.
    setMaxListeners(0, control.signal);
    try {
      const body = requestBody(request, model, tools, official, format);
      const call = { body, headers: jsonHeaders, signal: control.signal, stream: true };
      const response = await client
        .post('/chat/completions', call)
        .asResponse()
        .catch((error: unknown) => {
          count(requestsBefore(error, transport));
          throw error;
        });
      count(transport.requestsOf(response.headers));
      const stream = transport.bodyOf(response);
      if (stream === undefined) throw new Error('Bug: a response that the transport did not make');
      let firstTokenMs: number | undefined;
      const answer = await readAnswer(stream, {
        idleMs: idleMs(request),
        maxBytes: maxAnswerBytes,
        memory,
        now: () => clock.now(),
        idPrefix: request.step,
        fromWire: tools.fromWire,
        onFirst: () => {
          firstTokenMs = clock.now() - begun;
        },
        onDelta: (text, part) => control.onDelta(text, part),
      });
      return answer.ok && firstTokenMs !== undefined ? { ...answer, firstTokenMs } : answer;
    } catch (error) {
      if (control.signal.aborted) return { ok: false as const, fault: fault('cancelled', 'cancelled', false) };
      return {
        ok: false as const,
        fault: clientFault(error, { host, model: model.name, keyStep, addressSetting, now: clock.now() }),
      };
    }
  }
}

interface Retried {
  readonly request: ModelRequest;
  readonly control: ModelControl;
  readonly clock: Clock;
  /** Hides the key in a message. */
  readonly redact: (text: string) => string;
}

/** Makes attempts until one succeeds, fails for good, or is cancelled. An attempt counts its requests with `count`. */
async function withRetries<A extends { readonly ok: true }>(
  { request, control, clock, redact }: Retried,
  attemptOnce: (count: Count) => Promise<A | { readonly ok: false; readonly fault: Fault }>,
) {
  // One attempt may take two requests, when a kept-alive connection was closed.
  let requests = 0;
  const count: Count = (made) => {
    requests += made;
  };
  for (let attempts = 1; ; attempts += 1) {
    const attempt = await attemptOnce(count);
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
}

/**
 * Counts the requests before an error. An error of the package has the headers of the error response, or the transport's
 * error as its cause.
 */
function requestsBefore(error: unknown, transport: HttpTransport): number {
  if (!(error instanceof Error)) return 1;
  const outcome = error instanceof APIError && error.headers ? error.headers : error.cause;
  return outcome instanceof Headers || outcome instanceof Error ? transport.requestsOf(outcome) : 1;
}

/** Azure expects the key in a header of its own and the API version in the URL. */
export function clientOptions({ address, key, headers, apiVersion, provider }: Endpoint): ClientOptions {
  const options = { apiKey: key ?? 'none', baseURL: address, organization: null, project: null };
  if (provider !== 'azure') return { ...options, defaultHeaders: headers };
  return {
    ...options,
    defaultHeaders: { authorization: null, ...(key !== undefined && { 'api-key': key }), ...headers },
    ...(apiVersion !== undefined && { defaultQuery: { 'api-version': apiVersion } }),
  };
}

/**
 * Returns the delay before a retry, or `undefined` for no retry. Its random part comes from the step key, so that siblings
 * do not retry together.
 */
function waitMs(problem: Fault, attempts: number, step: string): number | undefined {
  if (!problem.retry || attempts > maxRetries) return undefined;
  if (problem.retryAfterMs !== undefined)
    return problem.retryAfterMs <= longestWaitMs ? problem.retryAfterMs : undefined;
  let hash = 0;
  for (let i = 0; i < step.length; i += 1) hash = (hash * 31 + step.charCodeAt(i)) % 1_000;
  return firstBackoffMs * 2 ** (attempts - 1) + hash / 4;
}

/** Returns the longest pause within an answer, from `streaming_timeout` of request_params, which is in seconds. */
function idleMs(request: ModelRequest): number | undefined {
  const seconds = request.requestParams.streaming_timeout ?? request.requestParams.streamingTimeout;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : undefined;
}
