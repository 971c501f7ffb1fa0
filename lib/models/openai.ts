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
import { dispensable, type RequestBody, requestBody, wireTools } from './openai-request';
import { readAnswer } from './openai-stream';
import {
  ignoredLog,
  maxRefusals,
  noteRefusal,
  type Refusals,
  refusalLog,
  refusalsOf,
  refusedPart,
} from './refused-parameters';
import { withTakenTools } from './refused-tools';
import { type Count, idleMs, requestsBefore, withRetries } from './retries';

export interface OpenAiModel {
  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse>;
}

const officialUrl = 'https://api.openai.com/v1';

const jsonHeaders = { 'content-type': 'application/json' };

interface Attempt {
  readonly request: ModelRequest;
  readonly control: ModelControl;
  /** When the call began, in epoch milliseconds. */
  readonly begun: number;
  readonly count: Count;
}

/**
 * Makes a port for the chat completions of one endpoint: api.openai.com or any compatible server. It streams the answer. It
 * retries after 429, 5xx and lost connections, unless a part of the answer was received. A server that refuses a parameter by
 * name, the response format or a tool is asked again without it. An answer of more than `maxAnswerBytes` is an error, and its
 * rest is not read. No message contains the key.
 */
export function openAiModel(
  endpoint: Endpoint,
  clock: Clock,
  transport: HttpTransport,
  maxAnswerBytes: number = largestAnswer,
): OpenAiModel {
  return new ChatModel(endpoint, clock, transport, maxAnswerBytes);
}

class ChatModel implements OpenAiModel {
  private readonly official: boolean;
  private readonly host: string;
  private readonly origin: string;
  private readonly url: string;
  private readonly refusals: Refusals;
  private readonly redact: (text: string) => string;
  private client: RepeatingClient | undefined;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly clock: Clock,
    private readonly transport: HttpTransport,
    private readonly maxAnswerBytes: number,
  ) {
    const { address, key = '' } = endpoint;
    this.official = address === officialUrl;
    this.host = new URL(address).host;
    this.origin = `chat ${this.host}`;
    this.url = addressWithPath(address, '/chat/completions');
    this.refusals = refusalsOf(endpoint);
    const hidden = key.length < 8 ? [] : [key];
    this.redact = (text) => hiderOf(hidden).hide(text);
  }

  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse> {
    const { endpoint, clock, redact } = this;
    const begun = clock.now();
    const wireNames = (tools: ModelRequest['tools']) => wireTools(tools).toWire;
    return withRetries({ request, control, clock, redact }, (count) =>
      withTakenTools({ request, endpoint, control, redact, wireNames }, (taken) =>
        this.ask({ request: taken, control, begun, count }),
      ),
    );
  }

  /** Makes one attempt. A server that refuses a part of the request is asked again without it, now and from now on. */
  private async ask(attempt: Attempt) {
    const { request, control } = attempt;
    for (let asked = 1; ; asked += 1) {
      const format = answerFormat(request, this.endpoint);
      const body = this.bodyOf(attempt, format);
      const answer = await this.send(attempt, body.json);
      if (answer.ok || control.signal.aborted || asked > maxRefusals) return answer;
      const isNoted =
        format !== undefined && answer.fault.refusesFormat
          ? this.noteFormat(attempt, answer.fault)
          : this.noteRefused(control, answer.fault, body.written);
      if (!isNoted) return answer;
    }
  }

  private bodyOf({ request, control }: Attempt, format: string | undefined): RequestBody {
    const { official, origin, host } = this;
    const { model } = this.endpoint;
    const onIgnored = (names: readonly string[]) => control.log(ignoredLog(names, model.name, host));
    const dialect = { official, format, origin, refused: this.refusals.parts, onIgnored };
    return requestBody(request, model, wireTools(request.tools), dialect);
  }

  private noteFormat({ request, control }: Attempt, { message }: Fault): true {
    noteRefusedFormat(request, this.endpoint, message);
    const next = 'The instruction alone asks for the form of the answer.';
    control.log({ level: 'info', code: 'answer_format_refused', message: `${this.redact(message)} ${next}` });
    return true;
  }

  /** Remembers what was refused. Returns true if the request had it, so that the next one is without it. */
  private noteRefused(control: ModelControl, { refuses, message }: Fault, written: RequestBody['written']): boolean {
    const part = refuses && refusedPart(refuses, written, dispensable);
    if (part === undefined) return false;
    noteRefusal(this.refusals, part);
    control.log(refusalLog(part, this.redact(message)));
    return true;
  }

  private async send({ request, control, begun, count }: Attempt, body: string) {
    const { endpoint, clock, transport, maxAnswerBytes, origin, host, url } = this;
    this.client ??= new RepeatingClient(clientOptions(endpoint), transport);
    // Node warns about more than ten listeners, but hundreds of requests may listen to one signal. Each removes its
    // listener.
    setMaxListeners(0, control.signal);
    const idle = idleMs(request);
    const silence = idle === undefined ? {} : { timeout: Math.ceil(idle) };
    try {
      const call = { body, headers: jsonHeaders, signal: control.signal, stream: true, ...silence };
      const response = await this.client
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
      if (unread.length > 0) this.noteUnread(control, unread);
      return firstTokenMs === undefined ? good : { ...good, firstTokenMs };
    } catch (error) {
      if (control.signal.aborted) return { ok: false as const, fault: fault('cancelled', 'cancelled', false) };
      const { model, keyStep, addressSetting } = endpoint;
      const target = { host, model: model.name, keyStep, addressSetting, now: clock.now() };
      return { ok: false as const, fault: clientFault(error, target) };
    }
  }

  private noteUnread(control: ModelControl, types: readonly string[]): void {
    const { name } = this.endpoint.model;
    const message = `The answer of model '${name}' has parts that Callboard does not read: ${types.join(', ')}. They are left out.`;
    control.log({ level: 'warning', code: 'answer_part_unread', message });
  }
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
