import { isRecord, type JsonObject } from '@/lib/base/json';
import type { ContentBlock, StopReason, Usage } from '@/lib/runtime/record/messages';
import { type Answer, countIn, EventReader, type PartialCall, textIn } from './event-reader';
import { bodyFault, fault, messageOf } from './openai-errors';
import { TextPieces } from './text-pieces';

/** An item of an answer as far as it has come. Items of other types are the provider's own business. */
type Item =
  | { readonly type: 'message'; readonly pieces: TextPieces; id: string; phase: string }
  | { readonly type: 'reasoning'; readonly pieces: TextPieces; whole: JsonObject | undefined }
  | { readonly type: 'function_call'; readonly call: PartialCall; id: string; hasArguments: boolean }
  | { readonly type: 'other' };

/** Why an answer is incomplete. Source: platform.openai.com/docs/api-reference/responses/object, `incomplete_details`. */
const incomplete: ReadonlyMap<string, StopReason> = new Map([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'safety'],
]);

/** Errors of an answer that a retry would repeat, because they are about what was sent. */
const isAboutRequest = /invalid_prompt|policy|image|data_residency/;

/** Reads an answer of OpenAI's Responses. Source: platform.openai.com/docs/api-reference/responses-streaming. */
export class ResponsesReader extends EventReader {
  private readonly items = new Map<number, Item>();
  /** The places of the items by id, for servers that do not number them. */
  private readonly places = new Map<string, number>();
  private usage: unknown;
  private stop: StopReason | undefined;
  private isRefused = false;

  protected takeEvent(type: string, event: Readonly<Record<string, unknown>>): void {
    const index = countIn(event, 'output_index') ?? this.placeOf(textIn(event, 'item_id') || textIn(event.item, 'id'));
    switch (type) {
      case 'response.output_item.added':
        this.startItem(index, event.item);
        break;
      case 'response.output_item.done':
        this.startItem(index, event.item);
        this.endItem(index, event.item);
        break;
      case 'response.output_text.delta':
        this.say(index, textIn(event, 'delta'));
        break;
      case 'response.refusal.delta':
        this.isRefused = true;
        this.say(index, textIn(event, 'delta'));
        break;
      case 'response.reasoning_summary_part.added':
        if ((countIn(event, 'summary_index') ?? 0) > 0) this.think(index, '\n\n');
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.think(index, textIn(event, 'delta'));
        break;
      case 'response.function_call_arguments.delta':
        this.takePiece(index, textIn(event, 'delta'));
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.takeResponse(event.response);
        break;
      case 'error':
        this.fail(isRecord(event.error) ? event.error : event);
    }
    // New events may come at any time, and most say what others say too.
  }

  protected takeWhole(body: Readonly<Record<string, unknown>>): void {
    if (isRecord(body.error) && typeof body.status !== 'string') this.fail(body.error);
    else this.takeResponse(body);
  }

  /** Takes the end of the answer, and the items that no event has told. */
  private takeResponse(response: unknown): void {
    if (!isRecord(response)) {
      this.bad("The model's server sent the end of an answer without it");
      return;
    }
    this.usage = response.usage;
    if (isRecord(response.error)) {
      this.fail(response.error);
      return;
    }
    if (!Array.isArray(response.output) && response.status !== 'incomplete') {
      this.bad("The model's server sent an answer without output");
      return;
    }
    const output: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
    output.forEach((item, index) => {
      const place = this.places.get(textIn(item, 'id')) ?? index;
      this.startItem(place, item);
      this.endItem(place, item);
    });
    this.takeStatus(response);
  }

  /** Returns the place of an item that has no number: places are given in the order in which items come. */
  private placeOf(id: string): number {
    const place = this.places.get(id) ?? (id === '' ? 0 : this.places.size);
    if (id !== '') this.places.set(id, place);
    return place;
  }

  private takeStatus({ status, incomplete_details: details }: Readonly<Record<string, unknown>>): void {
    if (status === 'completed') this.stop = 'end_turn';
    else if (status === 'incomplete') this.stop = incomplete.get(textIn(details, 'reason'));
    this.finished = true;
    if (this.stop !== undefined) return;
    const why = status === 'incomplete' ? textIn(details, 'reason') : String(status);
    this.bad(`The model's server ended the answer for a reason that Callboard does not know ('${why.slice(0, 100)}')`);
  }

  private fail(error: Readonly<Record<string, unknown>>): void {
    const code = textIn(error, 'code') || textIn(error, 'type');
    this.problem ??= isAboutRequest.test(code)
      ? fault('model_rejected', `The model's server rejected the request: ${messageOf(error)}`, false)
      : bodyFault(error, !this.received);
  }

  private startItem(index: number, item: unknown): void {
    if (!isRecord(item) || this.items.has(index) || !this.keepPart()) return;
    switch (item.type) {
      case 'message':
        this.items.set(index, { type: 'message', pieces: new TextPieces(), id: '', phase: '' });
        return;
      case 'reasoning':
        this.items.set(index, { type: 'reasoning', pieces: new TextPieces(), whole: undefined });
        return;
      case 'function_call': {
        const call = this.startCall(textIn(item, 'call_id'), textIn(item, 'name'));
        if (call) this.items.set(index, { type: 'function_call', call, id: '', hasArguments: false });
        return;
      }
      default:
        this.items.set(index, { type: 'other' });
    }
  }

  /** Takes what only the whole item has, and its text if no event has told it. */
  private endItem(index: number, given: unknown): void {
    const item = this.items.get(index);
    if (item === undefined || !isRecord(given) || given.type !== item.type) return;
    switch (item.type) {
      case 'message': {
        const content: readonly unknown[] = Array.isArray(given.content) ? given.content : [];
        if (content.some((part) => textIn(part, 'type') === 'refusal')) this.isRefused = true;
        if (item.pieces.isEmpty) {
          for (const part of content) this.say(index, textIn(part, 'text') || textIn(part, 'refusal'));
        }
        item.id = textIn(given, 'id');
        item.phase = textIn(given, 'phase');
        return;
      }
      case 'reasoning': {
        if (item.pieces.isEmpty) this.think(index, reasoningText(given));
        if (item.whole === undefined) this.keepReasoning(item, given);
        return;
      }
      case 'function_call':
        if (!item.hasArguments) this.takePiece(index, textIn(given, 'arguments'));
        item.id = textIn(given, 'id');
    }
  }

  /** Keeps the item as it must go back. Without encrypted content the provider could not read it. */
  private keepReasoning(item: Extract<Item, { type: 'reasoning' }>, given: Readonly<Record<string, unknown>>): void {
    const encrypted = textIn(given, 'encrypted_content');
    if (encrypted === '' || !this.keep(encrypted)) return;
    const summary: readonly unknown[] = Array.isArray(given.summary) ? given.summary : [];
    item.whole = {
      type: 'reasoning',
      id: textIn(given, 'id'),
      summary: summary.map((part) => ({ type: 'summary_text', text: textIn(part, 'text') })),
      encrypted_content: encrypted,
    };
  }

  private say(index: number, text: string): void {
    const item = this.items.get(index);
    if (item?.type === 'message') this.takeText(item.pieces, text);
  }

  private think(index: number, text: string): void {
    const item = this.items.get(index);
    if (item?.type === 'reasoning') this.takeReasoning(item.pieces, text);
  }

  private takePiece(index: number, text: string): void {
    const item = this.items.get(index);
    if (item?.type !== 'function_call' || text === '') return;
    item.hasArguments = true;
    this.takeArguments(item.call, text);
  }

  protected answer(): Answer | undefined {
    if (this.stop === undefined) return undefined;
    const stop = this.isRefused ? 'safety' : this.stop;
    const items = [...this.items.entries()].sort(([a], [b]) => a - b).map(([, item]) => item);
    // The calls of an answer that was cut or refused stay: the run refuses them, and the model reads why.
    const calls = items.flatMap((item) => (item.type === 'function_call' ? [item.call] : []));
    const content: ContentBlock[] = [];
    const layout: JsonObject[] = [];
    let called = 0;
    for (const item of items) {
      if (item.type === 'message') {
        const text = item.pieces.text();
        if (text.trim() === '') continue;
        layout.push({ text: content.length, ...named(item.id), ...(item.phase !== '' && { phase: item.phase }) });
        content.push({ type: 'text', text });
      } else if (item.type === 'reasoning' && item.whole) layout.push(item.whole);
      else if (item.type === 'function_call') layout.push({ call: called++, ...named(item.id) });
    }
    // The provider refuses reasoning that nothing follows.
    while (layout.at(-1)?.type !== undefined) layout.pop();
    const reasoning = items
      .flatMap((item) => (item.type === 'reasoning' ? [item.pieces.text()] : []))
      .filter((text) => text !== '')
      .join('\n\n');
    const expectsBack = layout.some(({ type, phase }) => type !== undefined || phase !== undefined);
    return {
      ok: true,
      usage: usageOf(this.usage),
      message: {
        role: 'assistant',
        content,
        ...(reasoning !== '' && { reasoning }),
        toolCalls: this.toolCalls(calls),
        stopReason: calls.length > 0 && stop === 'end_turn' ? 'tool_use' : stop,
        ...(expectsBack && { fromProvider: { origin: this.options.origin, data: { layout } } }),
      },
    };
  }
}

function named(id: string): JsonObject {
  return id === '' ? {} : { id };
}

/** Returns the text of a reasoning item: its summary, or the reasoning itself, which open models show. */
function reasoningText(item: Readonly<Record<string, unknown>>): string {
  const summary: readonly unknown[] = Array.isArray(item.summary) ? item.summary : [];
  const content: readonly unknown[] = Array.isArray(item.content) ? item.content : [];
  return [...summary, ...content]
    .map((part) => textIn(part, 'text'))
    .filter((text) => text !== '')
    .join('\n\n');
}

function usageOf(usage: unknown): Usage {
  const { input_tokens_details: input, output_tokens_details: output } = isRecord(usage) ? usage : {};
  const written = countIn(input, 'cache_write_tokens') ?? 0;
  return {
    inputTokens: countIn(usage, 'input_tokens') ?? 0,
    outputTokens: countIn(usage, 'output_tokens') ?? 0,
    cachedInputTokens: countIn(input, 'cached_tokens') ?? 0,
    reasoningTokens: countIn(output, 'reasoning_tokens') ?? 0,
    modelCalls: 1,
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
