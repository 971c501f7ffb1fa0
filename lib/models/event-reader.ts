import type { IncomingMessage } from 'node:http';
import { exactJson, parseExactJson } from '@/lib/base/exact-json';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import type { ModelControl } from '@/lib/runtime/ports';
import type { AssistantMessage, ToolCall, Usage } from '@/lib/runtime/record/messages';
import { type AnswerMemory, AnswerMeter } from './answer-memory';
import { type AfterLine, type BodyEnd, readLines } from './body-lines';
import { type Fault, fault } from './openai-errors';
import { TextPieces } from './text-pieces';

export type Answer =
  | { readonly ok: true; readonly message: AssistantMessage; readonly usage: Usage }
  | { readonly ok: false; readonly fault: Fault };

/** One answer has at most this many blocks or items. */
const maxParts = 4_096;
/** A part without its text takes about this many bytes. */
const partBytes = 512;
/** One JSON text of the server has at most this many values. No real answer has more, and parsing them would cost memory. */
const maxValues = 500_000;
const maxDepth = 1_000;
/** So many letters of an answer that broke off are kept. */
const maxReceived = 65_536;
/** A server that keeps the connection alive without sending any of the answer is waited for at most this long. */
const progressMs = 600_000;

export interface ReadOptions {
  /** The longest time without a byte, in milliseconds. */
  readonly idleMs: number | undefined;
  /** The limit for the whole answer, in bytes. */
  readonly maxBytes: number;
  readonly memory: AnswerMemory;
  /** The prefix of generated ids, `<prefix>-c<n>`, for calls to which the server gave no id. */
  readonly idPrefix: string;
  /** Names the wire and the host, for what goes back to the provider. */
  readonly origin: string;
  readonly fromWire: ReadonlyMap<string, string>;
  /** Returns epoch milliseconds. */
  now(): number;
  /** Called at the first piece of an answer, of any kind. */
  onFirst(): void;
  readonly onDelta: ModelControl['onDelta'];
}

/**
 * Reads an answer that comes as server-sent events, each a JSON object, or as one JSON object from a server that does not stream.
 * Nothing in it throws: an incomplete, oversized or malformed body is a fault. Only a fault before the first piece may be retried.
 *
 *   take line ──data──▶ takeEvent …        finish ──▶ answer
 *        └────plain───▶ (collected) ─────▶ takeWhole ──▶ answer
 */
export abstract class EventReader {
  private mode: 'start' | 'stream' | 'plain' = 'start';
  private readonly plain = new TextPieces();
  private readonly said = new TextPieces();
  /** The name in the line `event:`, for servers that write no type into the data. */
  private eventName = '';
  /** Lines of data that are no JSON alone. An event may have several (WHATWG HTML, 9.2.6). */
  private begun: TextPieces | undefined;
  private readonly meter: AnswerMeter;
  private lastProgress: number;
  private parts = 0;
  private calls = 0;
  /** True when a piece of the answer has come. */
  protected received = false;
  /** True when the answer said that it is complete. */
  protected finished = false;
  protected problem: Fault | undefined;

  constructor(protected readonly options: ReadOptions) {
    this.meter = new AnswerMeter(options.memory, options.maxBytes);
    this.lastProgress = options.now();
  }

  async read(body: IncomingMessage): Promise<Answer> {
    try {
      return this.finish(await readLines(body, this.options, (line) => this.take(line)));
    } finally {
      this.meter.release();
    }
  }

  /** Takes an event of a stream. `type` names it. */
  protected abstract takeEvent(type: string, event: Readonly<Record<string, unknown>>): void;
  /** Takes the answer of a server that does not stream. */
  protected abstract takeWhole(body: Readonly<Record<string, unknown>>): void;
  /** Returns the answer, or `undefined` if it is not complete. */
  protected abstract answer(): Answer | undefined;

  private take(line: string): AfterLine {
    this.takeLine(line);
    const longest = Math.max(progressMs, this.options.idleMs ?? 0);
    if (this.problem === undefined && this.options.now() - this.lastProgress > longest) {
      const said = `The model's server sent nothing of an answer for ${longest / 1000} s, though it kept the connection busy.`;
      this.problem = fault('model_stream_ended', said, !this.received);
    }
    if (this.problem !== undefined) return 'stop';
    return this.finished ? 'end' : 'more';
  }

  private takeLine(line: string): void {
    if (this.mode === 'start') {
      if (line.trim() === '') return;
      this.mode = /^(data|event|id|retry|):/.test(line) ? 'stream' : 'plain';
    }
    if (this.mode === 'plain') {
      if (this.keep(`${line}\n`)) this.plain.add(`${line}\n`);
      return;
    }
    if (line.startsWith('event:')) this.eventName = line.slice(6).trim();
    else if (line.startsWith('data:')) this.takeData(line.slice(line[5] === ' ' ? 6 : 5).trimEnd());
    else if (line.trim() === '') this.endEvent();
  }

  /** Takes a line of data. Most servers write one in each event, and some no empty line between events. */
  private takeData(data: string): void {
    if (this.begun !== undefined) {
      if (this.keep(data)) this.begun.add(`\n${data}`);
      return;
    }
    if (data === '' || data === '[DONE]') return;
    const value = isJsonTooLarge(data, maxValues, maxDepth) ? undefined : parseExactJson(data);
    if (value !== undefined) {
      this.takeParsed(value, data);
    } else if (this.keep(data)) {
      this.begun = new TextPieces();
      this.begun.add(data);
    }
  }

  private endEvent(): void {
    const data = this.begun?.text();
    this.begun = undefined;
    if (data !== undefined) {
      const value = this.parse(data);
      if (value !== undefined) this.takeParsed(value, data);
    }
    this.eventName = '';
  }

  private takeParsed(value: unknown, data: string): void {
    if (!isRecord(value)) {
      this.bad("The model's server sent JSON that is not an object", data);
      return;
    }
    const type = typeof value.type === 'string' ? value.type : this.eventName;
    if (type === '') this.bad("The model's server sent an event without a type", data);
    else this.takeEvent(type, value);
  }

  private finish(end: BodyEnd): Answer {
    this.problem ??= end.fault;
    if (this.problem === undefined && !this.finished) this.endEvent();
    if (this.mode === 'plain' && this.problem === undefined && end.broken === undefined) {
      // The bytes are released here because they are counted again as the answer is read from the JSON.
      this.meter.release();
      const body = this.parse(this.plain.text().slice(0, -1));
      if (body !== undefined) this.takeWhole(body);
    }
    const answer = this.problem === undefined ? this.answer() : undefined;
    // An answer may turn out to be a fault as it is put together.
    if (this.problem !== undefined) return this.failed(this.problem);
    if (answer !== undefined) return answer;
    const why = end.broken === undefined ? '' : ` (${end.broken.message})`;
    const message = this.received
      ? `The model's answer broke off before its end${why}.`
      : `The model ended the stream without an answer${why}.`;
    return this.failed(fault('model_stream_ended', message, !this.received));
  }

  /** People saw the text arrive, so the fault keeps it. */
  private failed(why: Fault): Answer {
    const received = this.said.text().slice(0, maxReceived);
    return { ok: false, fault: received === '' ? why : { ...why, received } };
  }

  private parse(data: string): Readonly<Record<string, unknown>> | undefined {
    if (isJsonTooLarge(data, maxValues, maxDepth)) {
      this.bad(`The model's server sent JSON with more than ${maxValues} values or ${maxDepth} levels`, data);
      return undefined;
    }
    const value = parseExactJson(data);
    if (isRecord(value)) return value;
    const why = value === undefined ? 'something that is not JSON' : 'JSON that is not an object';
    this.bad(`The model's server sent ${why}`, data);
    return undefined;
  }

  /** Makes the answer a fault, because it cannot be read. */
  protected bad(why: string, data?: string): void {
    const shown = data === undefined ? '.' : `: ${data.length <= 200 ? data : `${data.slice(0, 200)}…`}`;
    this.problem ??= fault('model_bad_response', `${why}${shown}`, false);
  }

  /** Counts the text, and that the server makes progress. Returns false when the answer exceeds a limit. */
  protected keep(text: string, beside = 0): boolean {
    this.lastProgress = this.options.now();
    this.problem ??= this.meter.keep(Buffer.byteLength(text) + beside);
    return this.problem === undefined;
  }

  /** Counts a new block or item. Returns false when the answer exceeds a limit. */
  protected keepPart(): boolean {
    this.first();
    this.parts += 1;
    if (this.parts <= maxParts) return this.keep('', partBytes);
    const said = `The model's answer has more than ${maxParts} parts, so it was not read to its end.`;
    this.problem ??= fault('model_answer_too_large', said, false);
    return false;
  }

  protected first(): void {
    if (this.received) return;
    this.received = true;
    this.options.onFirst();
  }

  /** Starts a call, whose name the live stream tells first. */
  protected startCall(id: string, wireName: string): PartialCall | undefined {
    if (!this.keep(id) || !this.keep(wireName)) return undefined;
    const name = this.nameOf(wireName);
    const call: PartialCall = { id, name, parts: new TextPieces(), part: { call: this.calls, toolName: name } };
    this.calls += 1;
    this.options.onDelta('', call.part);
    return call;
  }

  /** Returns our name of a tool. */
  protected nameOf(wireName: string): string {
    return this.options.fromWire.get(wireName) ?? wireName;
  }

  protected takeArguments(call: PartialCall, text: string): void {
    if (text === '' || !this.keep(text)) return;
    call.parts.add(text);
    this.options.onDelta(text, call.part);
  }

  protected takeText(pieces: TextPieces, text: string): void {
    if (text === '' || !this.keep(text)) return;
    pieces.add(text);
    this.said.add(text);
    this.options.onDelta(text);
  }

  protected takeReasoning(pieces: TextPieces, text: string): void {
    if (text === '' || !this.keep(text)) return;
    pieces.add(text);
    this.options.onDelta(text, 'reasoning');
  }

  protected toolCalls(calls: readonly PartialCall[]): ToolCall[] {
    // Results are told apart by the id of their call.
    const taken = new Set<string>();
    return calls.map(({ id, name, parts }, index) => {
      const own = id === '' || taken.has(id) ? `${this.options.idPrefix}-c${index + 1}` : id;
      taken.add(own);
      return { id: brandAs<CallId>(own), name, argumentsText: parts.text() || '{}' };
    });
  }
}

/** A call whose arguments may still come. */
export interface PartialCall {
  id: string;
  name: string;
  readonly parts: TextPieces;
  /** How the live stream names it. */
  readonly part: { readonly call: number; readonly toolName: string };
}

/** Returns the member as text, or '' if it is none. */
export function textIn(from: unknown, name: string): string {
  const value = isRecord(from) ? from[name] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Returns the arguments of a call as JSON text. A server may send them as text or as the value, which may be of any type. */
export function argumentsIn(from: unknown, name: string): string {
  const value = isRecord(from) ? from[name] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : exactJson(value);
}

/** Returns the member as a count, or `undefined` if it is none. Some servers write counts as text. */
export function countIn(from: unknown, name: string): number | undefined {
  const given = isRecord(from) ? from[name] : undefined;
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
