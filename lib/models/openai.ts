import { setMaxListeners } from 'node:events';
import type { ClientOptions } from 'openai';
import type { Clock } from '@/lib/base/clock';
import { hiderOf } from '@/lib/base/hider';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { ModelControl, ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import { answerFormat, noteRefusedFormat } from './answer-format';
import { answersOfProcess, largestAnswer } from './answer-memory';
import type { HttpTransport } from './http-transport';
import { RepeatingClient } from './openai-client';
import { clientFault, fault } from './openai-errors';
import { requestBody, wireTools } from './openai-request';
import { readAnswer } from './openai-stream';
import { withTakenTools } from './refused-tools';
import { type Count, idleMs, requestsBefore, withRetries } from './retries';

export interface OpenAiModel {
  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse>;
}

const officialUrl = 'https://api.openai.com/v1';

const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Makes a port for the chat completions of one endpoint: api.openai.com or any compatible server. It streams the answer. It
 * retries after 429, 5xx and lost connections, unless a part of the answer was received. A server that refuses the response
 * format or a tool is asked once more without it. An answer of more than `maxAnswerBytes` is an error, and its rest is not read. No
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
      return withRetries({ request, control, clock, redact }, (count) =>
        withTakenTools({ request, endpoint, control, redact, wireNames: (tools) => wireTools(tools).toWire }, (taken) =>
          sendOnce(taken, control, begun, count),
        ),
      );
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
        memory: answersOfProcess,
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
