import type { IncomingMessage } from 'node:http';
import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import type { AssistantMessage, StopReason, Usage } from '@/lib/runtime/messages';
import { noUsage } from '@/lib/runtime/messages';
import { bodyFault, type Fault, fault } from './openai-errors';
import { textContent } from './response';

export type Answer =
  | { readonly ok: true; readonly message: AssistantMessage; readonly usage: Usage }
  | { readonly ok: false; readonly fault: Fault };

/** A server that keeps a finished answer open is hung up on after this long. */
const lingerMs = 5_000;

interface StreamOptions {
  readonly idleMs: number | undefined;
  /** For a call the server gave no id: `<prefix>-c<n>`. */
  readonly idPrefix: string;
  readonly fromWire: ReadonlyMap<string, string>;
  /** At the first piece of an answer, of whatever kind. */
  onFirst(): void;
  onDelta(text: string): void;
}

/**
 * Reads a chat completion: a stream of `data:` lines, or the plain JSON of a server that does not stream. Does not throw;
 * a body that breaks off, or is not what it should be, is a fault. Only a fault before the first piece may be retried.
 */
export async function readAnswer(body: IncomingMessage, options: StreamOptions): Promise<Answer> {
  const reader = new AnswerReader(options);
  const broken = await readLines(body, options.idleMs, (line) => reader.take(line));
  return reader.finish(broken);
}

/** Feeds whole lines until the body ends or `take` says it is done. Gives the error of a body that broke off. */
function readLines(
  body: IncomingMessage,
  idleMs: number | undefined,
  take: (line: string) => boolean,
): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let rest: Buffer[] = [];
    let done = false;
    body.on('data', (chunk: Buffer) => {
      if (done) return;
      // No byte of a longer character is a newline: up to the last one the text is whole.
      const end = chunk.lastIndexOf(newline) + 1;
      if (end > 0) {
        const whole = rest.length > 0 ? Buffer.concat([...rest, chunk.subarray(0, end)]) : chunk.subarray(0, end);
        rest = [];
        done = takeLines(whole.toString('utf8'), take);
        if (done) {
          resolve(undefined);
          body.setTimeout(lingerMs);
          return;
        }
      }
      if (end < chunk.length) rest.push(end === 0 ? chunk : chunk.subarray(end));
    });
    body.once('end', () => {
      if (!done && rest.length > 0) take(Buffer.concat(rest).toString('utf8'));
      done = true;
      resolve(undefined);
    });
    body.once('error', resolve);
    body.once('close', () => resolve(done ? undefined : new Error('the connection was closed')));
    if (idleMs !== undefined) body.setTimeout(idleMs);
  });
}

const newline = 0x0a;

/** `text` ends in a newline. True as soon as `take` is done. */
function takeLines(text: string, take: (line: string) => boolean): boolean {
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    if (take(text.slice(from, end))) return true;
    from = end + 1;
  }
  return false;
}

interface PartialCall {
  id: string;
  name: string;
  readonly parts: string[];
}

class AnswerReader {
  private mode: 'start' | 'stream' | 'plain' = 'start';
  private readonly plain: string[] = [];
  private text = '';
  private reasoning = '';
  private refused = false;
  private readonly calls = new Map<number, PartialCall>();
  private finishReason: string | undefined;
  private usage: Usage = { ...noUsage, modelCalls: 1 };
  private received = false;
  private finished = false;
  private problem: Fault | undefined;
  private readonly options: StreamOptions;

  constructor(options: StreamOptions) {
    this.options = options;
  }

  /** True when nothing more is needed. */
  take(line: string): boolean {
    if (this.mode === 'start') {
      if (line.trim() === '') return false;
      this.mode = /^(data|event|id|retry|):/.test(line) ? 'stream' : 'plain';
    }
    if (this.mode === 'plain') {
      this.plain.push(line);
      return false;
    }
    if (!line.startsWith('data:')) return false;
    const data = line.slice(line[5] === ' ' ? 6 : 5).trimEnd();
    if (data === '[DONE]') this.finished = true;
    else if (data !== '') this.takeChunk(data, 'delta');
    return this.finished || this.problem !== undefined;
  }

  finish(broken: Error | undefined): Answer {
    if (this.mode === 'plain' && broken === undefined) this.takeChunk(this.plain.join('\n'), 'message');
    if (this.problem !== undefined) return { ok: false, fault: this.problem };
    const complete = this.finishReason !== undefined || (this.finished && this.received);
    if (!complete) {
      const why = broken === undefined ? '' : ` (${broken.message})`;
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
        argumentsText: call.parts.length === 1 ? (call.parts[0] ?? '') : call.parts.join(''),
      }));
    return {
      ok: true,
      usage: this.usage,
      message: {
        role: 'assistant',
        content: textContent(this.text),
        ...(this.reasoning !== '' && { reasoning: this.reasoning }),
        toolCalls,
        stopReason: stopReason(this.finishReason, toolCalls.length > 0, this.refused),
      },
    };
  }

  private takeChunk(data: string, part: 'delta' | 'message'): void {
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
      this.reasoning += thinking;
    }
    if (Array.isArray(calls))
      calls.forEach((call, position) => {
        this.takeCall(call, position);
      });
  }

  private takeText(text: string): void {
    this.first();
    this.text += text;
    this.options.onDelta(text);
  }

  private takeCall(call: unknown, position: number): void {
    if (!isRecord(call)) return;
    this.first();
    const id = typeof call.id === 'string' ? call.id : '';
    const index = typeof call.index === 'number' ? call.index : this.indexWithout(id, position);
    let partial = this.calls.get(index);
    if (partial === undefined) {
      partial = { id, name: '', parts: [] };
      this.calls.set(index, partial);
    }
    if (partial.id === '') partial.id = id;
    if (!isRecord(call.function)) return;
    const { name, arguments: args } = call.function;
    if (typeof name === 'string' && partial.name === '') partial.name = name;
    if (typeof args === 'string') partial.parts.push(args);
    else if (isRecord(args)) partial.parts.push(JSON.stringify(args));
  }

  /** Some servers number nothing: a new id is a new call, no id goes on with the last one. */
  private indexWithout(id: string, position: number): number {
    for (const [index, call] of this.calls) if (id !== '' && call.id === id) return index;
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
