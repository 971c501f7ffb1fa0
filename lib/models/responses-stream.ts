import { isRecord, type JsonObject } from '@/lib/base/json';
import type { ContentBlock, StopReason, Usage } from '@/lib/runtime/record/messages';
import { type Answer, argumentsIn, countIn, EventReader, type PartialCall, textIn } from './event-reader';
import { bodyFault, fault, messageOf } from './openai-errors';
import { TextPieces } from './text-pieces';

/** An item of an answer as far as it has come. Items of other types are the provider's own business. */
type Item =
  | { readonly type: 'message'; readonly pieces: TextPieces; id: string; phase: string }
  | { readonly type: 'reasoning'; readonly pieces: TextPieces; whole: JsonObject | undefined }
  | { readonly type: 'function_call'; readonly call: PartialCall; id: string; hasArguments: boolean }
  | { readonly type: 'other' };
type Typed<T extends Item['type']> = Extract<Item, { readonly type: T }>;

/** An item and where it is: its number and its id, of which a server may leave out either. */
interface Placed {
  readonly at: number;
  id: string;
  readonly item: Item;
  isDone: boolean;
}

/** Why an answer is incomplete. Source: platform.openai.com/docs/api-reference/responses/object, `incomplete_details`. */
const incomplete: ReadonlyMap<string, StopReason> = new Map([
  ['max_output_tokens', 'max_tokens'],
  ['content_filter', 'safety'],
]);

/** Errors of an answer that a retry would repeat, because they are about what was sent. */
const isAboutRequest = /invalid_prompt|policy|image|data_residency/;

/** Reads an answer of OpenAI's Responses. Source: platform.openai.com/docs/api-reference/responses-streaming. */
export class ResponsesReader extends EventReader {
  /** In the order in which they began. */
  private readonly items: Placed[] = [];
  /** True if a piece of a call came that no item of the stream had told of. */
  private hasStrayPiece = false;
  private usage: unknown;
  private stop: StopReason | undefined;
  private isRefused = false;

  protected takeEvent(type: string, event: Readonly<Record<string, unknown>>): void {
    const delta = textIn(event, 'delta');
    switch (type) {
      case 'response.output_item.added':
        this.begin(event, event.item);
        break;
      case 'response.output_item.done':
        this.end(this.placeOf(event, event.item) ?? this.begin(event, event.item), event.item);
        break;
      case 'response.output_text.delta':
        this.say(this.inside(event, 'message'), delta);
        break;
      case 'response.refusal.delta':
        this.isRefused = true;
        this.say(this.inside(event, 'message'), delta);
        break;
      case 'response.reasoning_summary_part.added':
        if ((countIn(event, 'summary_index') ?? 0) > 0) this.think(this.inside(event, 'reasoning'), '\n\n');
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.think(this.inside(event, 'reasoning'), delta);
        break;
      case 'response.function_call_arguments.delta':
        this.takePiece(this.inside(event, 'function_call'), delta);
        break;
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.takeResponse(event.response, type.slice('response.'.length));
        break;
      case 'error':
        this.fail(isRecord(event.error) ? event.error : event);
    }
    // New events may come at any time, and most say what others say too.
  }

  protected takeWhole(body: Readonly<Record<string, unknown>>): void {
    const hasError = isRecord(body.error) || typeof body.error === 'string';
    if (hasError && typeof body.status !== 'string') this.fail(body.error);
    else this.takeResponse(body, '');
  }

  /** Takes the end of the answer, and the items that no event has told. */
  private takeResponse(response: unknown, ended: string): void {
    if (!isRecord(response)) {
      this.bad("The model's server sent the end of an answer without it");
      return;
    }
    this.usage = response.usage;
    const status = typeof response.status === 'string' ? response.status : ended;
    if (isRecord(response.error) || status === 'failed') {
      this.fail(isRecord(response.error) ? response.error : { message: 'no reason is given' });
      return;
    }
    if (!Array.isArray(response.output) && status !== 'incomplete' && this.items.length === 0) {
      this.bad("The model's server sent an answer without output");
      return;
    }
    const output: readonly unknown[] = Array.isArray(response.output) ? response.output : [];
    const told = new Set<Placed>();
    for (const item of output) {
      const rest = this.items.filter((placed) => !told.has(placed));
      const id = textIn(item, 'id');
      const found = rest.find((placed) => id !== '' && placed.id === id) ?? rest.find((placed) => isLike(placed, item));
      const placed = found ?? this.begin({ output_index: this.items.length }, item);
      if (placed === undefined) continue;
      told.add(placed);
      this.end(placed, item);
    }
    this.takeStatus(status, response.incomplete_details);
  }

  /** Returns the item that an event or its `item` is about; `undefined` if it has not begun. */
  private placeOf(event: Readonly<Record<string, unknown>>, item: unknown): Placed | undefined {
    const id = textIn(event, 'item_id') || textIn(item, 'id');
    const at = countIn(event, 'output_index');
    const named = this.find(id, at);
    if (named !== undefined) return named;
    // Some servers give an item another id at its end.
    return at === undefined
      ? this.items.find((placed) => id === '' && isLike(placed, item))
      : this.items.findLast((placed) => placed.at === at && (item === undefined || isLike(placed, item)));
  }

  /** Finds an item by its id. Some servers give all items the same number, and others some items the same id. */
  private find(id: string, at: number | undefined): Placed | undefined {
    if (id === '') return undefined;
    const same = this.items.filter((placed) => placed.id === id);
    const only = same.length === 1 ? same[0] : undefined;
    return same.find((placed) => placed.at === at) ?? (at !== undefined && only?.isDone ? undefined : only);
  }

  /** Returns the item of this type that a piece belongs to. A message or reasoning begins with its first piece, if no event has told of it. */
  private inside<T extends 'message' | 'reasoning' | 'function_call'>(
    event: Readonly<Record<string, unknown>>,
    type: T,
  ): Typed<T> | undefined {
    const placed = this.placeOf(event, undefined);
    if (placed !== undefined && isOf(placed.item, type)) return placed.item;
    const last = this.items.findLast(({ item }) => item.type === type);
    if (last !== undefined && !last.isDone && isOf(last.item, type)) return last.item;
    if (placed?.item.type === 'other') return undefined;
    if (type === 'function_call') {
      this.hasStrayPiece = true;
      return undefined;
    }
    const begun = this.begin(event, { type, id: textIn(event, 'item_id') })?.item;
    return begun !== undefined && isOf(begun, type) ? begun : undefined;
  }

  private takeStatus(status: string, details: unknown): void {
    if (status === 'completed') this.stop = 'end_turn';
    else if (status === 'incomplete') this.stop = incomplete.get(textIn(details, 'reason'));
    this.finished = true;
    if (this.stop !== undefined) return;
    const why = status === 'incomplete' ? textIn(details, 'reason') : status;
    this.bad(`The model's server ended the answer for a reason that Callboard does not know ('${why.slice(0, 100)}')`);
  }

  private fail(error: unknown): void {
    const code = textIn(error, 'code') || textIn(error, 'type');
    this.problem ??= isAboutRequest.test(code)
      ? fault('model_rejected', `The model's server rejected the request: ${messageOf(error)}`, false)
      : bodyFault(error, !this.received);
  }

  private begin(event: Readonly<Record<string, unknown>>, given: unknown): Placed | undefined {
    const id = textIn(given, 'id');
    const at = countIn(event, 'output_index');
    const known = this.find(id, at);
    if (known !== undefined && (at === undefined || known.at === at)) return known;
    const item = isRecord(given) && this.keepPart() ? this.itemOf(given) : undefined;
    if (item === undefined) return undefined;
    const placed = { at: at ?? this.items.length, id, item, isDone: false };
    this.items.push(placed);
    return placed;
  }

  private itemOf(given: Readonly<Record<string, unknown>>): Item | undefined {
    switch (given.type) {
      case 'message':
        return { type: 'message', pieces: new TextPieces(), id: '', phase: '' };
      case 'reasoning':
        return { type: 'reasoning', pieces: new TextPieces(), whole: undefined };
      case 'function_call': {
        const call = this.startCall(textIn(given, 'call_id'), textIn(given, 'name'));
        return call && { type: 'function_call', call, id: '', hasArguments: false };
      }
      default:
        return { type: 'other' };
    }
  }

  /** Takes what only the whole item has, and its text if no event has told it. */
  private end(placed: Placed | undefined, given: unknown): void {
    if (placed === undefined || !isRecord(given) || given.type !== placed.item.type) return;
    const { item } = placed;
    placed.isDone = true;
    placed.id ||= textIn(given, 'id');
    switch (item.type) {
      case 'message': {
        const content: readonly unknown[] = Array.isArray(given.content) ? given.content : [];
        if (content.some((part) => textIn(part, 'type') === 'refusal')) this.isRefused = true;
        if (item.pieces.isEmpty) {
          for (const part of content) this.say(item, textIn(part, 'text') || textIn(part, 'refusal'));
        }
        item.id = textIn(given, 'id');
        item.phase = textIn(given, 'phase');
        return;
      }
      case 'reasoning': {
        if (item.pieces.isEmpty) this.think(item, reasoningText(given));
        if (item.whole === undefined) this.keepReasoning(item, given);
        return;
      }
      case 'function_call':
        // Some servers name the call only when it is whole.
        if (item.call.name === '') item.call.name = this.nameOf(textIn(given, 'name'));
        if (item.call.id === '') item.call.id = textIn(given, 'call_id');
        if (!item.hasArguments) this.takePiece(item, argumentsIn(given, 'arguments'));
        item.id = textIn(given, 'id');
    }
  }

  /** Keeps the item as it must go back. Without encrypted content the provider could not read it. */
  private keepReasoning(item: Typed<'reasoning'>, given: Readonly<Record<string, unknown>>): void {
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

  private say(item: Typed<'message'> | undefined, text: string): void {
    if (item !== undefined) this.takeText(item.pieces, text);
  }

  private think(item: Typed<'reasoning'> | undefined, text: string): void {
    if (item !== undefined) this.takeReasoning(item.pieces, text);
  }

  private takePiece(item: Typed<'function_call'> | undefined, text: string): void {
    if (item === undefined || text === '') return;
    item.hasArguments = true;
    this.takeArguments(item.call, text);
  }

  protected answer(): Answer | undefined {
    if (this.stop === undefined) return undefined;
    const stop = this.isRefused ? 'safety' : this.stop;
    const items = [...this.items].sort((a, b) => a.at - b.at).map(({ item }) => item);
    // The calls of an answer that was cut or refused stay: the run refuses them, and the model reads why.
    const calls = items.flatMap((item) => (item.type === 'function_call' ? [item.call] : []));
    if (this.hasStrayPiece && calls.length === 0) {
      this.bad("The model's server sent a piece of a call that has not begun");
      return undefined;
    }
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

function isOf<T extends Item['type']>(item: Item, type: T): item is Typed<T> {
  return item.type === type;
}

/** True if the item is of the same type as one that the server tells whole. */
function isLike({ item }: Placed, given: unknown): boolean {
  const type = textIn(given, 'type');
  return item.type === type || (item.type === 'other' && !['message', 'reasoning', 'function_call'].includes(type));
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
