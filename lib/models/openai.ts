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
import { clientFault, type Fault, fault } from './openai-errors';
import { requestBody, wireTools } from './openai-request';
import { readAnswer } from './openai-stream';
import { noteRefusal, refusalsOf, sentBack } from './refused-parameters';
import { withTakenTools } from './refused-tools';
import { type Count, idleMs, requestsBefore, withRetries } from './retries';

export interface OpenAiModel {
  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse>;
}

const officialUrl = 'https://api.openai.com/v1';
/** One attempt leaves out at most this many parts of its request. */
const maxRefusals = 6;

const jsonHeaders = { 'content-type': 'application/json' };

/**
 * Makes a port for the chat completions of one endpoint: api.openai.com or any compatible server. It streams the answer. It
 * retries after 429, 5xx and lost connections, unless a part of the answer was received. A server that refuses a parameter by
 * name, the response format or a tool is asked again without it. An answer of more than `maxAnswerBytes` is an error, and its rest is not read. No
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
  const origin = `chat ${host}`;
  const url = addressWithPath(address, '/chat/completions');
  const refusals = refusalsOf(endpoint);
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

  /** Makes one attempt. A server that refuses a part of the request is asked again without it, now and from now on. */
  async function sendOnce(request: ModelRequest, control: ModelControl, begun: number, count: Count) {
    for (let asked = 1; ; asked += 1) {
      const format = answerFormat(request, endpoint);
      const sent = bodyOf(request, control, format);
      const attempt = await send(request, control, begun, count, sent.json);
      if (attempt.ok || control.signal.aborted || asked > maxRefusals) return attempt;
      if (!noteRefused(request, control, attempt.fault, format, sent.written)) return attempt;
    }
  }

  function bodyOf(request: ModelRequest, control: ModelControl, format: string | undefined) {
    const dialect = { official, format, origin, refused: refusals.names, onIgnored };
    return requestBody(request, model, wireTools(request.tools), dialect);

    function onIgnored(names: readonly string[]): void {
      const listed = names.map((name) => `'${name}'`).join(', ');
      const message = `Model '${model.name}' at ${host} does not take ${listed}. What the card sets there is ignored.`;
      control.log({ level: 'warning', code: 'parameter_ignored', message });
    }
  }

  /** Remembers what the server refused of a request. Returns true if the next request is without it. */
  function noteRefused(
    request: ModelRequest,
    control: ModelControl,
    { refusesFormat, refuses, message }: Fault,
    format: string | undefined,
    written: ReadonlySet<string>,
  ): boolean {
    if (format !== undefined && refusesFormat) {
      noteRefusedFormat(request, endpoint, message);
      const next = 'The instruction alone asks for the form of the answer.';
      control.log({ level: 'info', code: 'answer_format_refused', message: `${redact(message)} ${next}` });
      return true;
    }
    if (refuses === undefined) return false;
    const isSentBack = refuses.name === sentBack;
    const wasSent = isSentBack ? hasSentBack(request, origin) : written.has(refuses.name);
    if (!wasSent) return false;
    noteRefusal(refusals, refuses);
    const what = isSentBack ? 'The reasoning of earlier answers' : `The parameter '${refuses.name}'`;
    const next = `${what} is left out or renamed for this model from now on.`;
    control.log({ level: 'info', code: 'parameter_refused', message: `${redact(message)} ${next}` });
    return true;
  }

  async function send(request: ModelRequest, control: ModelControl, begun: number, count: Count, body: string) {
    client ??= new RepeatingClient(clientOptions(endpoint), transport);
    // Node warns about more than ten listeners, but hundreds of requests may listen to one signal. Each removes its
    // listener.
    setMaxListeners(0, control.signal);
    const idle = idleMs(request);
    const silence = idle === undefined ? {} : { timeout: Math.ceil(idle) };
    try {
      const call = { body, headers: jsonHeaders, signal: control.signal, stream: true, ...silence };
      const response = await client
        .post(url, call)
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
        idleMs: idle,
        maxBytes: maxAnswerBytes,
        memory: answersOfProcess,
        now: () => clock.now(),
        idPrefix: request.step,
        fromWire: wireTools(request.tools).fromWire,
        origin,
        onFirst: () => {
          firstTokenMs = clock.now() - begun;
        },
        onDelta: (text, part) => control.onDelta(text, part),
      });
      if (!answer.ok) return answer;
      const { unread, ...good } = answer;
      if (unread.length > 0) noteUnread(control, unread);
      return firstTokenMs === undefined ? good : { ...good, firstTokenMs };
    } catch (error) {
      if (control.signal.aborted) return { ok: false as const, fault: fault('cancelled', 'cancelled', false) };
      return {
        ok: false as const,
        fault: clientFault(error, { host, model: model.name, keyStep, addressSetting, now: clock.now() }),
      };
    }
  }

  function noteUnread(control: ModelControl, types: readonly string[]): void {
    const message = `The answer of model '${model.name}' has parts that Callboard does not read: ${types.join(', ')}. They are left out.`;
    control.log({ level: 'warning', code: 'answer_part_unread', message });
  }
}

function hasSentBack({ messages }: ModelRequest, origin: string): boolean {
  return messages.some((message) => message.role === 'assistant' && message.fromProvider?.origin === origin);
}

/** Adds to the path of an address. Its query stays: gateways tell tenants apart by it. */
export function addressWithPath(address: string, path: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname.replace(/\/{1,16}$/, '')}${path}${url.search}`;
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
