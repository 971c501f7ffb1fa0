import type { IncomingMessage } from 'node:http';
import { isRecord, parseJson } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import type { AssistantMessage, Usage } from '@/lib/runtime/record/messages';
import { noUsage } from '@/lib/runtime/record/messages';
import { type AnswerMemory, AnswerMeter } from './answer-memory';
import { type AfterLine, type BodyEnd, readLines } from './body-lines';
import { endOf } from './chat-ends';
import { ChatMessage, type MessageOptions } from './chat-message';
import { usageOf } from './chat-usage';
import { bodyFault, type Fault, fault } from './openai-errors';
import { TextPieces } from './text-pieces';

export type Answer =
  | {
      readonly ok: true;
      readonly message: AssistantMessage;
      readonly usage: Usage;
      /** Types of parts beside the text that were not read, such as `image_url`. */
      readonly unread: readonly string[];
    }
  | { readonly ok: false; readonly fault: Fault };

/**
 * One JSON text of the server has at most this many values. No real answer has more, and parsing them would cost memory.
 */
const maxValues = 500_000;
const maxDepth = 1_000;
/** So many letters of an answer that broke off are kept. */
const maxReceived = 65_536;
/** A server that keeps the connection alive without sending any of the answer is waited for at most this long. */
const progressMs = 600_000;

interface StreamOptions extends MessageOptions {
  /** The longest pause between two events of the answer, in milliseconds. */
  readonly idleMs: number | undefined;
  /** The limit for text, reasoning and calls together, in bytes. */
  readonly maxBytes: number;
  readonly memory: AnswerMemory;
  /** Returns epoch milliseconds. */
  now(): number;
}

/**
 * Reads a chat completion: a stream of `data:` lines, or plain JSON from a server that does not stream. Does not throw: an
 * incomplete, oversized or malformed body is a fault. Only a fault before the first chunk may be retried.
 */
export async function readAnswer(body: IncomingMessage, options: StreamOptions): Promise<Answer> {
  const reader = new AnswerReader(options);
  try {
    return reader.finish(await readLines(body, options, (line) => reader.take(line)));
  } finally {
    reader.release();
  }
}

class AnswerReader {
  private mode: 'start' | 'stream' | 'plain' = 'start';
  private readonly plain = new TextPieces();
  private readonly message: ChatMessage;
  private reason: string | undefined;
  private nativeReason: string | undefined;
  private usage: Usage = { ...noUsage, modelCalls: 1 };
  private finished = false;
  private problem: Fault | undefined;
  /** When an event came, and when it brought a part of the answer. */
  private lastEvent: number;
  private lastProgress: number;
  private counted = 0;
  private readonly options: StreamOptions;
  private readonly meter: AnswerMeter;

  constructor(options: StreamOptions) {
    this.options = options;
    this.meter = new AnswerMeter(options.memory, options.maxBytes);
    this.message = new ChatMessage(options, this.meter);
    this.lastProgress = options.now();
    this.lastEvent = this.lastProgress;
  }

  take(line: string): AfterLine {
    this.takeLine(line);
    this.problem ??= this.message.problem ?? this.lateFault(line);
    if (this.problem !== undefined) return 'stop';
    return this.finished ? 'end' : 'more';
  }

  release(): void {
    this.meter.release();
  }

  /** Comments and empty events keep a connection busy, but are no part of an answer. */
  private lateFault(line: string): Fault | undefined {
    const now = this.options.now();
    if (this.meter.kept !== this.counted) {
      this.counted = this.meter.kept;
      this.lastProgress = now;
    }
    if (line.startsWith('data:')) this.lastEvent = now;
    const { idleMs } = this.options;
    if (idleMs !== undefined && now - this.lastEvent > idleMs) return this.late(idleMs);
    const longest = Math.max(progressMs, idleMs ?? 0);
    return now - this.lastProgress > longest ? this.late(longest) : undefined;
  }

  private late(limitMs: number): Fault {
    const said = `The model's server sent nothing of an answer for ${limitMs / 1000} s, though it kept the connection busy.`;
    return fault('model_stream_ended', said, !this.message.received);
  }

  private takeLine(line: string): void {
    if (this.mode === 'start') {
      if (line.trim() === '') return;
      this.mode = /^(data|event|id|retry|):/.test(line) ? 'stream' : 'plain';
    }
    if (this.mode === 'plain') {
      this.problem ??= this.meter.keep(Buffer.byteLength(line) + 1);
      if (this.problem === undefined) this.plain.add(`${line}\n`);
      return;
    }
    if (!line.startsWith('data:')) return;
    const data = line.slice(line[5] === ' ' ? 6 : 5).trimEnd();
    if (data === '[DONE]') this.finished = true;
    else if (data !== '') this.takeChunk(data, false);
  }

  finish(end: BodyEnd): Answer {
    this.problem ??= end.fault;
    if (this.mode === 'plain' && this.problem === undefined && end.broken === undefined) {
      // The bytes are released here because they are counted again as the answer is read from the JSON.
      this.meter.release();
      this.takeChunk(this.plain.text().slice(0, -1), true);
      this.problem ??= this.message.problem;
    }
    if (this.problem !== undefined) return this.failed(this.problem);
    const { received, refused, hasCalls, hasText, left } = this.message;
    if (end.broken !== undefined && this.reason === undefined)
      return this.failed(brokenFault(end.broken.message, received));
    const { reason, nativeReason } = this;
    const stopReason = endOf({ reason, nativeReason, hasCalls, hasText, refused, received });
    if (typeof stopReason !== 'string') return this.failed(stopReason);
    const unread = [...left];
    if (unread.length > 0 && !hasCalls && !hasText) {
      const said = `The model's answer has only parts that Callboard does not read: ${unread.join(', ')}.`;
      return { ok: false, fault: fault('model_bad_response', said, false) };
    }
    return { ok: true, usage: this.usage, message: this.message.finish(stopReason), unread };
  }

  /** People saw the text arrive, so the fault keeps it. */
  private failed(why: Fault): Answer {
    const received = this.message.receivedText().slice(0, maxReceived);
    return { ok: false, fault: received === '' ? why : { ...why, received } };
  }

  private takeChunk(data: string, isWhole: boolean): void {
    if (isJsonTooLarge(data, maxValues, maxDepth)) {
      const said = `The model's server sent JSON with more than ${maxValues} values or ${maxDepth} levels: ${excerpt(data)}`;
      this.problem = fault('model_bad_response', said, false);
      return;
    }
    const chunk = parseJson(data);
    if (!isRecord(chunk)) {
      const why =
        chunk === undefined
          ? "The model's server sent something that is not JSON"
          : "Expected an object with choices, but the model's server sent";
      this.problem = fault('model_bad_response', `${why}: ${excerpt(data)}`, false);
      return;
    }
    if (chunk.error !== undefined && chunk.error !== null) {
      this.problem = bodyFault(chunk.error, !this.message.received);
      return;
    }
    if (isRecord(chunk.usage)) this.usage = usageOf(chunk.usage);
    if (Array.isArray(chunk.choices)) {
      this.takeChoice(chunk.choices[0], isWhole);
      return;
    }
    if (!isWhole && isRecord(chunk.usage)) return;
    const said = `The model's server sent JSON without choices: ${excerpt(data)}`;
    this.problem = fault('model_bad_response', said, false);
  }

  private takeChoice(choice: unknown, isWhole: boolean): void {
    if (!isRecord(choice) || (typeof choice.index === 'number' && choice.index !== 0)) return;
    if (choice.error !== undefined && choice.error !== null) {
      this.problem = bodyFault(choice.error, !this.message.received);
      return;
    }
    const { finish_reason: reason, native_finish_reason: native, delta, message, text } = choice;
    // Some servers write "" or "null" until the end.
    if (typeof reason === 'string' && reason !== '' && reason !== 'null') this.reason = reason;
    if (typeof native === 'string' && native !== '') this.nativeReason = native;
    if (isRecord(delta)) this.message.take(delta, false);
    else if (isRecord(message)) this.message.take(message, true);
    // The form of a text completion.
    else if (typeof text === 'string') this.message.text(text);
    else if (isWhole) this.message.unread('a choice without a message');
  }
}

function brokenFault(why: string, received: boolean): Fault {
  const said = received
    ? "The model's answer broke off before its end"
    : 'The model ended the stream without an answer';
  return fault('model_stream_ended', `${said} (${why}).`, !received);
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
