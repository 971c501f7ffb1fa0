import { isRecord, type JsonObject } from '@/lib/base/json';
import type { ContentBlock, StopReason, Usage } from '@/lib/runtime/record/messages';
import { noUsage } from '@/lib/runtime/record/messages';
import { type Answer, argumentsIn, countIn, EventReader, type PartialCall, textIn } from './event-reader';
import { bodyFault, fault, messageOf } from './openai-errors';
import { TextPieces } from './text-pieces';

/** A block of an answer as far as it has come. Blocks of other types are the provider's own business. */
type Block =
  | { readonly type: 'text'; readonly pieces: TextPieces }
  | { readonly type: 'thinking'; readonly pieces: TextPieces; readonly signature: TextPieces }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  /** `whole` is the input as the block began with it. Pieces that come later are the same or more. */
  | { readonly type: 'tool_use'; readonly call: PartialCall; readonly whole: string }
  | { readonly type: 'other' };

/**
 * What each `stop_reason` means. Source: platform.claude.com/docs/en/build-with-claude/handling-stop-reasons. A paused turn goes on
 * with the next request.
 */
const stopReasons: ReadonlyMap<string, StopReason | 'paused'> = new Map([
  ['end_turn', 'end_turn'],
  ['tool_use', 'tool_use'],
  ['stop_sequence', 'stop_sequence'],
  ['max_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'max_tokens'],
  ['refusal', 'safety'],
  ['pause_turn', 'paused'],
]);

/** Errors that a retry would repeat, because they are about what was sent. */
const isAboutRequest = /invalid_request|authentication|permission|billing|not_found|too_large/;

/** Reads an answer of Anthropic's Messages. Source: platform.claude.com/docs/en/build-with-claude/streaming. */
export class MessagesReader extends EventReader {
  /** All blocks with their indexes, in the order in which they began. */
  private readonly blocks: { readonly at: number; readonly block: Block }[] = [];
  /** The last block at each index. Some servers give all blocks the same. */
  private readonly current = new Map<number, Block>();
  /** The index of the block that began last, for servers that leave the index out. */
  private last = 0;
  private usage: Counts = {};
  private stopReason: string | undefined;

  /** True if the provider stopped in the middle of its turn and expects the answer back to go on. */
  get isPaused(): boolean {
    return this.stopReason === 'pause_turn';
  }

  protected takeEvent(type: string, event: Readonly<Record<string, unknown>>): void {
    const index = countIn(event, 'index');
    switch (type) {
      case 'message_start':
        // Its end is not known yet, whatever it says.
        if (isRecord(event.message)) this.usage = { ...this.usage, ...countsOf(event.message.usage) };
        if (this.received) this.bad("The model's server began a second answer in the middle of the first");
        break;
      case 'content_block_start':
        this.startBlock(index ?? this.blocks.length, event.content_block);
        break;
      case 'content_block_delta':
        this.takeDelta(index ?? this.last, event.delta);
        break;
      case 'content_block_stop':
        this.endBlock(this.current.get(index ?? this.last));
        break;
      case 'message_delta':
        this.takeEnd(event.delta);
        this.usage = { ...this.usage, ...countsOf(event.usage) };
        break;
      case 'message_stop':
        this.finished = true;
        break;
      case 'error':
        this.fail(event.error);
    }
    // New events may come at any time, and pings do: nobody needs them.
  }

  protected takeWhole(body: Readonly<Record<string, unknown>>): void {
    if (body.type === 'error' || isRecord(body.error) || typeof body.error === 'string') {
      this.fail(body.error);
      return;
    }
    if (!Array.isArray(body.content)) {
      this.bad("The model's server sent a message without content");
      return;
    }
    this.usage = { ...this.usage, ...countsOf(body.usage) };
    this.takeEnd(body);
    body.content.forEach((block: unknown, index) => {
      this.startBlock(index, block);
      this.endBlock(this.current.get(index));
    });
  }

  private fail(error: unknown): void {
    const found = bodyFault(error, !this.received);
    const isRejected = found.code === 'model_failed' && isAboutRequest.test(textIn(error, 'type'));
    this.problem ??= isRejected
      ? fault('model_rejected', `The model's server rejected the request: ${messageOf(error)}`, false)
      : found;
  }

  private takeEnd(from: unknown): void {
    const reason = textIn(from, 'stop_reason');
    if (reason === '') return;
    this.stopReason = reason;
    if (stopReasons.has(reason)) return;
    this.bad(
      `The model's server ended the answer for a reason that Callboard does not know ('${reason.slice(0, 100)}')`,
    );
  }

  private startBlock(index: number, block: unknown): void {
    if (!isRecord(block) || this.isKnownCall(index, block) || !this.keepPart()) return;
    this.last = index;
    switch (block.type) {
      case 'text': {
        const pieces = new TextPieces();
        this.add(index, { type: 'text', pieces });
        this.takeText(pieces, textIn(block, 'text'));
        return;
      }
      case 'thinking': {
        const thinking = { type: 'thinking' as const, pieces: new TextPieces(), signature: new TextPieces() };
        this.add(index, thinking);
        this.takeReasoning(thinking.pieces, textIn(block, 'thinking'));
        this.sign(thinking, textIn(block, 'signature'));
        return;
      }
      case 'redacted_thinking': {
        const data = textIn(block, 'data');
        if (this.keep(data)) this.add(index, { type: 'redacted_thinking', data });
        return;
      }
      case 'tool_use': {
        const call = this.startCall(textIn(block, 'id'), textIn(block, 'name'));
        if (call === undefined) return;
        this.add(index, { type: 'tool_use', call, whole: argumentsIn(block, 'input') });
        return;
      }
      default:
        this.add(index, { type: 'other' });
    }
  }

  private add(at: number, block: Block): void {
    this.blocks.push({ at, block });
    this.current.set(at, block);
  }

  private isKnownCall(index: number, { type, id }: Readonly<Record<string, unknown>>): boolean {
    const known = this.current.get(index);
    return type === 'tool_use' && known?.type === 'tool_use' && id !== '' && known.call.id === id;
  }

  /** Takes a piece. Its block begins with it if the server has not told of one of its kind. */
  private takeDelta(index: number, delta: unknown): void {
    const type = textIn(delta, 'type');
    const kind = type === 'text_delta' ? 'text' : type === 'thinking_delta' ? 'thinking' : undefined;
    const known = this.current.get(index);
    if (kind !== undefined && known?.type !== kind && known?.type !== 'other') this.startBlock(index, { type: kind });
    const block = this.current.get(index);
    switch (block?.type) {
      case 'text':
        this.takeText(block.pieces, textIn(delta, 'text'));
        return;
      case 'thinking':
        this.takeReasoning(block.pieces, textIn(delta, 'thinking'));
        this.sign(block, textIn(delta, 'signature'));
        return;
      case 'tool_use':
        this.takeArguments(block.call, textIn(delta, 'partial_json'));
        return;
    }
    const isCall = type === 'input_json_delta' && block?.type !== 'other' && textIn(delta, 'partial_json') !== '';
    if (isCall) this.bad("The model's server sent a piece of a call that has not begun");
  }

  /** Takes the input with which a call began, if no piece of it has come. */
  private endBlock(block: Block | undefined): void {
    if (block?.type !== 'tool_use' || !block.call.parts.isEmpty) return;
    if (block.whole !== '' && block.whole !== '{}') this.takeArguments(block.call, block.whole);
  }

  private sign({ signature }: Extract<Block, { type: 'thinking' }>, text: string): void {
    if (text !== '' && this.keep(text)) signature.add(text);
  }

  protected answer(): Answer | undefined {
    const stop = stopReasons.get(this.stopReason ?? '');
    if (stop === undefined) return undefined;
    const blocks = [...this.blocks].sort((a, b) => a.at - b.at).map(({ block }) => block);
    for (const block of blocks) this.endBlock(block);
    // The calls of an answer that was cut or refused stay: the run refuses them, and the model reads why.
    const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.call] : []));
    const content: ContentBlock[] = [];
    const layout: JsonObject[] = [];
    let called = 0;
    for (const block of blocks) {
      if (block.type === 'text') {
        const text = block.pieces.text();
        // A blank text is refused when it goes back.
        if (text.trim() === '') continue;
        layout.push({ text: content.length });
        content.push({ type: 'text', text });
      } else if (block.type === 'thinking') {
        layout.push({ type: 'thinking', thinking: block.pieces.text(), signature: block.signature.text() });
      } else if (block.type === 'redacted_thinking') layout.push({ type: 'redacted_thinking', data: block.data });
      else if (block.type === 'tool_use') layout.push({ call: called++ });
    }
    if (stop === 'tool_use' && calls.length === 0 && content.length === 0) {
      const said = 'The model stopped for tool calls, but its answer has none.';
      this.problem ??= fault('model_bad_response', said, !this.received);
      return undefined;
    }
    // The provider refuses thinking that nothing follows.
    while (layout.at(-1)?.type !== undefined) layout.pop();
    const reasoning = blocks
      .flatMap((block) => (block.type === 'thinking' ? [block.pieces.text()] : []))
      .filter((text) => text !== '')
      .join('\n\n');
    const expectsBack = layout.some(({ type }) => type !== undefined);
    const stopReason = calls.length > 0 && stop === 'end_turn' ? 'tool_use' : stop;
    return {
      ok: true,
      usage: usageOf(this.usage),
      message: {
        role: 'assistant',
        content,
        ...(reasoning !== '' && { reasoning }),
        toolCalls: this.toolCalls(calls),
        stopReason: stopReason === 'paused' ? 'end_turn' : stopReason,
        ...(expectsBack && { fromProvider: { origin: this.options.origin, data: { layout } } }),
      },
    };
  }
}

interface Counts {
  readonly input?: number;
  readonly output?: number;
  readonly read?: number;
  readonly written?: number;
  readonly thinking?: number;
}

/** Returns the counts that the server gives. The later ones of a stream replace the earlier ones. */
function countsOf(usage: unknown): Counts {
  const given: Record<keyof Counts, number | undefined> = {
    input: countIn(usage, 'input_tokens'),
    output: countIn(usage, 'output_tokens'),
    read: countIn(usage, 'cache_read_input_tokens'),
    written: countIn(usage, 'cache_creation_input_tokens'),
    thinking: countIn(isRecord(usage) ? usage.output_tokens_details : undefined, 'thinking_tokens'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Anthropic counts the tokens of the cache beside the other input. */
function usageOf({ input = 0, output = 0, read = 0, written = 0, thinking = 0 }: Counts): Usage {
  return {
    ...noUsage,
    inputTokens: input + read + written,
    outputTokens: output,
    cachedInputTokens: read,
    reasoningTokens: thinking,
    modelCalls: 1,
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
