import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@/lib/base/clock';
import { hiderOf } from '@/lib/base/hider';
import type { JsonObject } from '@/lib/base/json';
import type { Endpoint } from '@/lib/cards/models/endpoint';
import type { ModelControl, ModelRequest, ModelResponse, ResponseFormat } from '@/lib/runtime/ports';
import { type AssistantMessage, addUsage } from '@/lib/runtime/record/messages';
import { noteRefusedFormat, wantedFormat } from './answer-format';
import { answersOfProcess } from './answer-memory';
import type { Answer, ReadOptions } from './event-reader';
import type { HttpTransport } from './http-transport';
import { type Fault, fault, type Target } from './openai-errors';
import { type WireTools, wireTools } from './openai-request';
import {
  type Dispensable,
  ignoredLog,
  maxRefusals,
  noteRefusal,
  type Refusals,
  type RefusedPart,
  refusalLog,
  refusalsOf,
  refusedPart,
} from './refused-parameters';
import { withTakenTools } from './refused-tools';
import { type Count, idleMs, requestsBefore, withRetries } from './retries';

/** The format of one provider, beside chat completions. */
export interface Wire {
  /** The name of the wire, for the origin of what goes back to the provider. */
  readonly name: 'messages' | 'responses';
  /** Sends a request and returns the response with its unread body. Throws errors of the provider's package. */
  post(body: string, options: PostOptions): Promise<Response>;
  /** True if the provider can hold the model to this form. */
  takesFormat(format: ResponseFormat): boolean;
  /** What its requests can be made without. */
  readonly dispensable: Dispensable;
  body(request: ModelRequest, more: WireRequest): WireBody;
  read(stream: IncomingMessage, options: ReadOptions): Promise<WireAnswer>;
  /** Turns an error of `post` into a fault. Rethrows any other error, which is a bug. */
  faultOf(error: unknown, target: Target): Fault;
}

interface PostOptions {
  readonly signal: AbortSignal;
  /** The longest time without a byte, in whole milliseconds. */
  readonly timeout?: number;
}

export interface WireBody {
  /** JSON text. */
  readonly json: string;
  /** Its members, but for the tools. */
  readonly written: Readonly<Record<string, unknown>>;
  /** The settings of the card that are left out because the server has refused them. */
  readonly ignored: readonly string[];
}

export interface WireRequest {
  readonly origin: string;
  readonly tools: WireTools;
  /** The form that the provider shall enforce. */
  readonly format: ResponseFormat | undefined;
  /** What the model has refused. */
  readonly refused: readonly RefusedPart[];
  /** The answer so far, if the provider paused in it. */
  readonly continued: AssistantMessage | undefined;
}

type Refused = Extract<Answer, { readonly ok: false }>;
type Answered = Extract<Answer, { readonly ok: true }> & { readonly firstTokenMs?: number };
/** An answer, and whether the provider paused in it. */
type WireAnswer = Refused | (Answered & { readonly isPaused?: boolean });

/** The words of a provider that cannot read what it wrote: another account or an older key wrote it. */
const unreadable = /encrypted[_ ]content.*(?:could not be|cannot be|invalid)|invalid `?signature`? in `?thinking/is;
/** A provider may pause so many times in one answer. */
const mostPauses = 8;

interface WireModelOptions {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly transport: HttpTransport;
  readonly maxAnswerBytes: number;
  readonly wire: Wire;
}

/** One attempt at an answer. */
interface Attempt {
  readonly request: ModelRequest;
  readonly control: ModelControl;
  /** When the call began, in epoch milliseconds. */
  readonly begun: number;
  readonly count: Count;
  /** True if nothing goes back that only the provider can read. */
  readonly isPlain?: boolean;
}

/**
 * Makes a port for one endpoint in a provider's own format. It streams the answer. It retries after 429, 5xx and lost
 * connections, unless a part of the answer was received. A server that refuses the response format or a tool is asked once more
 * without it. An answer of more than `maxAnswerBytes` is an error, and its rest is not read. No message contains the key.
 */
export class WireModel {
  private readonly host: string;
  private readonly origin: string;
  private readonly refusals: Refusals;
  private readonly redact: (text: string) => string;
  /** What the log has said of the parameters of each card. */
  private readonly told = new WeakMap<JsonObject, string>();

  constructor(private readonly options: WireModelOptions) {
    const { address, key = '' } = options.endpoint;
    this.host = new URL(address).host;
    this.origin = `${options.wire.name} ${this.host}`;
    this.refusals = refusalsOf(options.endpoint);
    const hidden = key.length < 8 ? [] : [key];
    this.redact = (text) => hiderOf(hidden).hide(text);
  }

  complete(request: ModelRequest, control: ModelControl): Promise<ModelResponse> {
    const { endpoint, clock } = this.options;
    const { redact } = this;
    const begun = clock.now();
    const wireNames = (tools: ModelRequest['tools']) => wireTools(tools).toWire;
    return withRetries({ request, control, clock, redact }, (count) =>
      withTakenTools({ request, endpoint, control, redact, wireNames }, (taken) =>
        this.ask({ request: taken, control, begun, count }),
      ),
    );
  }

  /** Makes one attempt. A server that refuses the response format is asked again without it, now and from now on. */
  private async ask(attempt: Attempt): Promise<Answered | Refused> {
    const { endpoint, wire } = this.options;
    const { request, control } = attempt;
    const { responseFormat } = request;
    const isWanted = responseFormat !== undefined && wantedFormat(request, endpoint) !== undefined;
    const format = isWanted && wire.takesFormat(responseFormat) ? responseFormat : undefined;
    const answer = await this.whole(attempt, format);
    if (answer.ok || format === undefined || !answer.fault.refusesFormat) return answer;
    noteRefusedFormat(request, endpoint, answer.fault.message);
    const next = 'The instruction alone asks for the form of the answer.';
    const message = `${this.redact(answer.fault.message)} ${next}`;
    control.log({ level: 'info', code: 'answer_format_refused', message });
    return control.signal.aborted ? answer : this.whole(attempt, undefined);
  }

  /** Asks until the answer is whole: a provider may pause in it. */
  private async whole(asked: Attempt, format: ResponseFormat | undefined): Promise<Answered | Refused> {
    const { signal } = asked.control;
    let attempt = asked;
    let sent = this.bodyOf(attempt, format);
    let answer = await this.send(attempt, sent.json);
    for (let asked = 1; !answer.ok && !signal.aborted && asked <= maxRefusals; asked += 1) {
      if (format !== undefined && answer.fault.refusesFormat) break;
      if (!attempt.isPlain && unreadable.test(answer.fault.message)) attempt = { ...attempt, isPlain: true };
      else if (!this.noteRefused(attempt.control, answer.fault, sent.written)) break;
      sent = this.bodyOf(attempt, format);
      answer = await this.send(attempt, sent.json);
    }
    for (let pauses = 0; answer.ok && answer.isPaused && pauses < mostPauses; pauses += 1) {
      const next = await this.send(attempt, this.bodyOf(attempt, format, answer.message).json);
      if (!next.ok) return next;
      answer = { ...next, message: joined(answer.message, next.message), usage: addUsage(answer.usage, next.usage) };
    }
    if (!answer.ok) return answer;
    const { isPaused, ...done } = answer;
    if (!isPaused) return done;
    const said = `The model paused more than ${mostPauses} times in one answer.`;
    return { ok: false, fault: fault('model_bad_response', said, false) };
  }

  /** Remembers what was refused. Returns true if the request had it, so that the next one is without it. */
  private noteRefused(control: ModelControl, { refuses, message }: Fault, written: WireBody['written']): boolean {
    const part = refuses && refusedPart(refuses, written, this.options.wire.dispensable);
    if (part === undefined) return false;
    noteRefusal(this.refusals, part);
    control.log(refusalLog(part, this.redact(message)));
    return true;
  }

  private bodyOf(
    { request, control, isPlain }: Attempt,
    format: ResponseFormat | undefined,
    continued?: AssistantMessage,
  ): WireBody {
    const { endpoint, wire } = this.options;
    const { parts: refused } = this.refusals;
    const tools = wireTools(request.tools);
    const body = wire.body(request, { origin: isPlain ? '' : this.origin, tools, format, continued, refused });
    const ignored = body.ignored.join();
    if (ignored !== '' && this.told.get(request.requestParams) !== ignored) {
      this.told.set(request.requestParams, ignored);
      control.log(ignoredLog(body.ignored, endpoint.model.name, this.host));
    }
    return body;
  }

  private async send({ request, control, begun, count }: Attempt, body: string): Promise<WireAnswer> {
    const { endpoint, clock, transport, maxAnswerBytes, wire } = this.options;
    const { host, origin } = this;
    // Node warns about more than ten listeners, but hundreds of requests may listen to one signal. Each removes its
    // listener.
    setMaxListeners(0, control.signal);
    try {
      const idle = idleMs(request);
      const silence = idle === undefined ? {} : { timeout: Math.ceil(idle) };
      const response = await wire.post(body, { signal: control.signal, ...silence }).catch((error: unknown) => {
        count(requestsBefore(error, transport));
        throw error;
      });
      count(transport.requestsOf(response.headers));
      const stream = transport.bodyOf(response);
      if (stream === undefined) throw new Error('Bug: a response that the transport did not make');
      let firstTokenMs: number | undefined;
      const answer = await wire.read(stream, {
        idleMs: idle,
        maxBytes: maxAnswerBytes,
        memory: answersOfProcess,
        now: () => clock.now(),
        idPrefix: request.step,
        origin,
        fromWire: wireTools(request.tools).fromWire,
        onFirst: () => {
          firstTokenMs = clock.now() - begun;
        },
        onDelta: (text, part) => control.onDelta(text, part),
      });
      return answer.ok && firstTokenMs !== undefined ? { ...answer, firstTokenMs } : answer;
    } catch (error) {
      if (control.signal.aborted) return { ok: false, fault: fault('cancelled', 'cancelled', false) };
      const { model, keyStep, addressSetting } = endpoint;
      const target = { host, model: model.name, keyStep, addressSetting, now: clock.now() };
      return { ok: false, fault: wire.faultOf(error, target) };
    }
  }
}

/** Joins the two parts of an answer in which the provider paused. Only an answer without its thinking goes back after that. */
function joined(before: AssistantMessage, after: AssistantMessage): AssistantMessage {
  const reasoning = [before.reasoning, after.reasoning].filter((text) => text !== undefined).join('\n\n');
  return {
    role: 'assistant',
    content: [...before.content, ...after.content],
    ...(reasoning !== '' && { reasoning }),
    toolCalls: [...before.toolCalls, ...after.toolCalls],
    stopReason: after.stopReason,
  };
}
