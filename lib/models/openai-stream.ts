import type { IncomingMessage } from 'node:http';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import { isJsonTooLarge } from '@/lib/base/json-size';
import type { ModelControl } from '@/lib/runtime/ports';
import type { AssistantMessage, StopReason, Usage } from '@/lib/runtime/record/messages';
import { noUsage } from '@/lib/runtime/record/messages';
import { type AnswerMemory, AnswerMeter } from './answer-memory';
import { type AfterLine, type BodyEnd, readLines } from './body-lines';
import { bodyFault, type Fault, fault } from './openai-errors';
import { textContent } from './response';
import { TextPieces } from './text-pieces';

export type Answer =
  | { readonly ok: true; readonly message: AssistantMessage; readonly usage: Usage }
  | { readonly ok: false; readonly fault: Fault };

/** One answer has at most this many tool calls. */
const maxCalls = 4_096;
/** A call without its name and arguments takes about this many bytes. */
const callBytes = 512;
/**
 * One JSON text of the server has at most this many values. No real answer has more, and parsing them would cost memory.
 */
const maxValues = 500_000;
const maxDepth = 1_000;
/** A server that keeps the connection alive without sending any of the answer is waited for at most this long. */
const progressMs = 600_000;

interface StreamOptions {
  readonly idleMs: number | undefined;
  /** The limit for text, reasoning and calls together, in bytes. */
  readonly maxBytes: number;
  readonly memory: AnswerMemory;
  /** The prefix of generated ids, `<prefix>-c<n>`, for calls to which the server gave no id. */
  readonly idPrefix: string;
  readonly fromWire: ReadonlyMap<string, string>;
  /** Returns epoch milliseconds. */
  now(): number;
  /** Called at the first chunk of an answer, of any kind. */
  onFirst(): void;
  readonly onDelta: ModelControl['onDelta'];
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

interface PartialCall {
  id: string;
  name: string;
  readonly parts: TextPieces;
  /** How the live stream names it, once its name is known. */
  part: { readonly call: number; readonly toolName: string } | undefined;
}

class AnswerReader {
  private mode: 'start' | 'stream' | 'plain' = 'start';
  private readonly plain = new TextPieces();
  private readonly text = new TextPieces();
  private readonly reasoning = new TextPieces();
  private refused = false;
  private readonly calls = new Map<number, PartialCall>();
  private readonly indexById = new Map<string, number>();
  private finishReason: string | undefined;
  private usage: Usage = { ...noUsage, modelCalls: 1 };
  private received = false;
  private finished = false;
  private problem: Fault | undefined;
  private lastProgress: number;
  private readonly options: StreamOptions;
  private readonly meter: AnswerMeter;

  constructor(options: StreamOptions) {
    this.options = options;
    this.meter = new AnswerMeter(options.memory, options.maxBytes);
    this.lastProgress = options.now();
  }

  take(line: string): AfterLine {
    this.takeLine(line);
    if (this.problem === undefined && this.options.now() - this.lastProgress > progressMs) {
      const said = `The model's server sent nothing of an answer for ${progressMs / 1000} s, though it kept the connection busy.`;
      this.problem = fault('model_stream_ended', said, !this.received);
    }
    if (this.problem !== undefined) return 'stop';
    return this.finished ? 'end' : 'more';
  }

  release(): void {
    this.meter.release();
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
    if (!line.startsWith('data:')) return;
    const data = line.slice(line[5] === ' ' ? 6 : 5).trimEnd();
    if (data === '[DONE]') this.finished = true;
    else if (data !== '') this.takeChunk(data, 'delta');
  }

  finish(end: BodyEnd): Answer {
    this.problem ??= end.fault;
    if (this.mode === 'plain' && this.problem === undefined && end.broken === undefined) {
      // The bytes are released here because they are counted again as the answer is read from the JSON.
      this.meter.release();
      this.takeChunk(this.plain.text().slice(0, -1), 'message');
    }
    if (this.problem !== undefined) return { ok: false, fault: this.problem };
    const complete = this.finishReason !== undefined || (this.finished && this.received);
    if (!complete) {
      const why = end.broken === undefined ? '' : ` (${end.broken.message})`;
      const message = this.received
        ? `The model's answer broke off before its end${why}.`
        : `The model ended the stream without an answer${why}.`;
      return { ok: false, fault: fault('model_stream_ended', message, !this.received) };
    }
    const toolCalls = [...this.calls.entries()]
      .sort(([a], [b]) => a - b)
      .map(([, call], index) => ({
        id: brandAs<CallId>(call.id || `${this.options.idPrefix}-c${index + 1}`),
        name: this.options.fromWire.get(call.name) ?? call.name,
        argumentsText: call.parts.text(),
      }));
    const reasoning = this.reasoning.text();
    return {
      ok: true,
      usage: this.usage,
      message: {
        role: 'assistant',
        content: textContent(this.text.text()),
        ...(reasoning !== '' && { reasoning }),
        toolCalls,
        stopReason: stopReason(this.finishReason, toolCalls.length > 0, this.refused),
      },
    };
  }

  private takeChunk(data: string, part: 'delta' | 'message'): void {
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
      this.problem = bodyFault(chunk.error, !this.received);
      return;
    }
    if (isRecord(chunk.usage)) this.usage = usageOf(chunk.usage);
    if (!Array.isArray(chunk.choices)) {
      if (part === 'delta' && isRecord(chunk.usage)) return;
      this.problem = fault(
        'model_bad_response',
        `The model's server sent JSON without choices: ${excerpt(data)}`,
        false,
      );
      return;
    }
    const choice: unknown = chunk.choices[0];
    if (!isRecord(choice) || (typeof choice.index === 'number' && choice.index !== 0)) return;
    if (typeof choice.finish_reason === 'string') this.finishReason = choice.finish_reason;
    else if (part === 'message') this.finishReason = 'stop';
    const delta = choice[part];
    if (isRecord(delta)) this.takeDelta(delta);
  }

  private takeDelta(delta: Record<string, unknown>): void {
    const { content, refusal, tool_calls: calls } = delta;
    if (typeof refusal === 'string' && refusal !== '') this.refused = true;
    if (typeof content === 'string' && content !== '') this.takeText(content);
    if (typeof refusal === 'string' && refusal !== '') this.takeText(refusal);
    const thinking = delta.reasoning_content ?? delta.reasoning;
    if (typeof thinking === 'string' && thinking !== '') {
      this.first();
      if (this.keep(thinking)) {
        this.reasoning.add(thinking);
        this.options.onDelta(thinking, 'reasoning');
      }
    }
    if (Array.isArray(calls))
      calls.forEach((call, position) => {
        this.takeCall(call, position);
      });
  }

  /** Counts the text. Returns false when the answer exceeds a limit. */
  private keep(text: string, beside = 0): boolean {
    this.lastProgress = this.options.now();
    this.problem ??= this.meter.keep(Buffer.byteLength(text) + beside);
    return this.problem === undefined;
  }

  private takeText(text: string): void {
    this.first();
    if (!this.keep(text)) return;
    this.text.add(text);
    this.options.onDelta(text);
  }

  private takeCall(call: unknown, position: number): void {
    if (!isRecord(call)) return;
    this.first();
    const id = typeof call.id === 'string' ? call.id : '';
    const index = typeof call.index === 'number' ? call.index : this.indexWithout(id, position);
    let partial = this.calls.get(index);
    if (partial === undefined) {
      if (this.calls.size === maxCalls) {
        const said = `The model asked for more than ${maxCalls} calls in one answer, so it was not read to its end.`;
        this.problem ??= fault('model_answer_too_large', said, false);
        return;
      }
      if (!this.keep(id, callBytes)) return;
      partial = { id, name: '', parts: new TextPieces(), part: undefined };
      this.calls.set(index, partial);
    }
    if (partial.id === '') partial.id = id;
    if (id !== '' && !this.indexById.has(id)) this.indexById.set(id, index);
    if (!isRecord(call.function)) return;
    const { name, arguments: args } = call.function;
    if (typeof name === 'string' && partial.name === '' && this.keep(name)) partial.name = name;
    const text = typeof args === 'string' ? args : isRecord(args) ? JSON.stringify(args) : '';
    if (text !== '' && !this.keep(text)) return;
    if (text !== '') partial.parts.add(text);
    this.tellCall(index, partial, text);
  }

  /** Passes on a piece of a call's arguments. The first one may be empty: it tells the name of the tool. */
  private tellCall(index: number, call: PartialCall, text: string): void {
    if (call.name === '') return;
    const isFirst = call.part === undefined;
    call.part ??= { call: index, toolName: this.options.fromWire.get(call.name) ?? call.name };
    if (isFirst || text !== '') this.options.onDelta(isFirst ? call.parts.text() : text, call.part);
  }

  /**
   * Finds the index of a call for servers that send none. A new id starts a new call; without an id the last call
   * continues.
   */
  private indexWithout(id: string, position: number): number {
    const known = this.indexById.get(id);
    if (known !== undefined) return known;
    return id !== '' || this.calls.size === 0 ? Math.max(this.calls.size, position) : this.calls.size - 1;
  }

  private first(): void {
    if (this.received) return;
    this.received = true;
    this.options.onFirst();
  }
}

function stopReason(finish: string | undefined, hasCalls: boolean, refused: boolean): StopReason {
  if (finish === 'content_filter' || refused) return 'safety';
  if (finish === 'length') return 'max_tokens';
  return hasCalls ? 'tool_use' : 'end_turn';
}

function usageOf(usage: Record<string, unknown>): Usage {
  return {
    inputTokens: count(usage, 'prompt_tokens'),
    outputTokens: count(usage, 'completion_tokens'),
    cachedInputTokens: count(usage.prompt_tokens_details, 'cached_tokens'),
    reasoningTokens: count(usage.completion_tokens_details, 'reasoning_tokens'),
    modelCalls: 1,
  };
}

function count(from: unknown, name: string): number {
  const value = isRecord(from) ? from[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
