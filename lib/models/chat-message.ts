import { isRecord } from '@/lib/base/json';
import type { ModelControl } from '@/lib/runtime/ports';
import type { AssistantMessage, StopReason } from '@/lib/runtime/record/messages';
import type { AnswerMeter } from './answer-memory';
import { type CallPiece, ChatCalls } from './chat-calls';
import { type ContentSink, readParts, textIn } from './chat-content';
import { ProviderMembers } from './from-provider';
import { type Fault, fault } from './openai-errors';
import { textContent } from './response';
import { TextPieces } from './text-pieces';

/** One answer has at most this many tool calls. */
const maxCalls = 4_096;
/** A call without its name and arguments takes about this many bytes. */
const callBytes = 512;

export interface MessageOptions {
  /** The prefix of generated ids, `<prefix>-c<n>`, for calls to which the server gave no id. */
  readonly idPrefix: string;
  readonly fromWire: ReadonlyMap<string, string>;
  /** The wire and the host, such as `chat api.deepseek.com`. What this host wrote for itself goes back to it alone. */
  readonly origin: string;
  /** Called at the first piece of an answer, of any kind. */
  onFirst(): void;
  readonly onDelta: ModelControl['onDelta'];
}

/** The message of an answer, from the pieces of a stream or from one JSON text. */
export class ChatMessage implements ContentSink {
  /** True if text, reasoning or a call was received. */
  received = false;
  /** True if the model wrote a refusal. */
  refused = false;
  problem: Fault | undefined;
  /** Types of parts that are not read. */
  readonly left = new Set<string>();
  private readonly words = new TextPieces();
  private readonly reasoning = new TextPieces();
  private readonly calls = new ChatCalls();
  private members: ProviderMembers | undefined;
  private hasWords = false;
  private chunk = 0;

  constructor(
    private readonly options: MessageOptions,
    private readonly meter: AnswerMeter,
  ) {}

  get hasText(): boolean {
    return this.hasWords;
  }

  get hasCalls(): boolean {
    return this.calls.size > 0;
  }

  /** The text that was received. */
  receivedText(): string {
    return this.words.text();
  }

  /** Takes a `delta`, or the `message` of an answer that is not streamed. */
  take(delta: Record<string, unknown>, isWhole: boolean): void {
    const { content, refusal, tool_calls: calls, function_call: oldCall } = delta;
    this.chunk += 1;
    if (typeof content === 'string') this.text(content);
    else if (content !== null && content !== undefined) readParts(content, this);
    if (typeof refusal === 'string') this.refusal(refusal);
    this.takeReasoning(delta);
    this.takeMembers(delta);
    if (Array.isArray(calls)) {
      calls.forEach((call, position) => {
        if (isRecord(call)) this.takeCall(call, position, isWhole);
      });
    } else if (isRecord(oldCall)) this.takeCall({ function: oldCall }, 0, isWhole);
    if (delta.audio !== undefined || delta.images !== undefined) this.takeMedia(delta);
  }

  finish(stopReason: StopReason): AssistantMessage {
    const { fromWire, idPrefix, origin } = this.options;
    const toolCalls = this.calls.list(idPrefix, (name) => fromWire.get(name) ?? name);
    const reasoning = this.reasoning.text();
    const fromProvider = this.members?.finish(origin, (number) => this.calls.idOf(number));
    return {
      role: 'assistant',
      content: textContent(this.words.text()),
      ...(reasoning !== '' && { reasoning }),
      toolCalls,
      stopReason,
      ...(fromProvider !== undefined && { fromProvider }),
    };
  }

  text(text: string): void {
    if (text === '') return;
    this.first();
    if (!this.keep(text)) return;
    this.hasWords = true;
    this.words.add(text);
    this.options.onDelta(text);
  }

  refusal(text: string): void {
    if (text === '') return;
    this.refused = true;
    this.text(text);
  }

  thought(text: string): void {
    if (text === '') return;
    this.first();
    if (!this.keep(text)) return;
    this.reasoning.add(text);
    this.options.onDelta(text, 'reasoning');
  }

  thoughtPart(part: Record<string, unknown>): void {
    this.members ??= new ProviderMembers();
    if (this.keep(JSON.stringify(part))) this.members.takePart(part);
  }

  unread(type: string): void {
    this.left.add(type);
  }

  /** Reasoning under the name in which the server writes it. A name with an empty text does not hide the other. */
  private takeReasoning(delta: Record<string, unknown>): void {
    const { reasoning_content: deepseek, reasoning: other } = delta;
    const name = isFilled(deepseek) ? 'reasoning_content' : isFilled(other) ? 'reasoning' : undefined;
    if (name === undefined) {
      if (delta.reasoning_details !== undefined) this.thought(ProviderMembers.thoughtsIn(delta));
      return;
    }
    this.members ??= new ProviderMembers();
    const value = delta[name];
    if (typeof value === 'string') this.members.nameReasoning(name);
    this.thought(textIn(value) ?? '');
  }

  private takeMembers(delta: Record<string, unknown>): void {
    const { reasoning_details: details, thinking_blocks: blocks, extra_content: extra } = delta;
    const isUsual =
      details === undefined &&
      blocks === undefined &&
      extra === undefined &&
      delta.provider_specific_fields === undefined;
    if (isUsual) return;
    this.members ??= new ProviderMembers();
    this.keepBytes(this.members.take(delta));
  }

  private takeCall(piece: Record<string, unknown>, position: number, isWhole: boolean): void {
    this.first();
    const found = this.calls.locate(piece, { chunk: this.chunk, position, isWhole });
    if (found === undefined) return;
    const { call, isNew, name, text } = found;
    if (isNew && this.calls.size > maxCalls) {
      const said = `The model asked for more than ${maxCalls} calls in one answer, so it was not read to its end.`;
      this.problem ??= fault('model_answer_too_large', said, false);
      return;
    }
    if (isNew && !this.keep(call.id, callBytes)) return;
    if (name !== '' && call.name === '' && this.keep(name)) call.name = name;
    if (text !== '' && !this.keep(text)) return;
    if (text !== '') {
      call.arguments.add(text);
      call.lastText = text;
    }
    if (piece.extra_content !== undefined || piece.thought_signature !== undefined || hasFields(piece)) {
      this.members ??= new ProviderMembers();
      this.keepBytes(this.members.takeCall(call.number, piece));
    }
    this.tellCall(found);
  }

  /** Passes on a piece of a call's arguments. The first one may be empty: it tells the name of the tool. */
  private tellCall({ call, text }: CallPiece): void {
    if (call.name === '') return;
    const isFirst = call.part === undefined;
    call.part ??= { call: call.number, toolName: this.options.fromWire.get(call.name) ?? call.name };
    if (isFirst || text !== '') this.options.onDelta(isFirst ? call.arguments.text() : text, call.part);
  }

  /** The words of a spoken answer are its text. Pictures and sound are not read. */
  private takeMedia({ audio, images, content }: Record<string, unknown>): void {
    if (isRecord(audio)) {
      if (typeof audio.transcript === 'string' && !isFilled(content)) this.text(audio.transcript);
      if (isFilled(audio.data)) this.unread('audio');
    }
    if (Array.isArray(images) && images.length > 0) this.unread('images');
  }

  /** Counts the text. Returns false when the answer exceeds a limit. */
  private keep(text: string, beside = 0): boolean {
    return this.keepBytes(Buffer.byteLength(text) + beside);
  }

  private keepBytes(bytes: number): boolean {
    this.problem ??= this.meter.keep(bytes);
    return this.problem === undefined;
  }

  private first(): void {
    if (this.received) return;
    this.received = true;
    this.options.onFirst();
  }
}

function hasFields(piece: Record<string, unknown>): boolean {
  return piece.provider_specific_fields !== undefined;
}

function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
