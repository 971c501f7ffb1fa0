import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { AssistantMessage, FromProvider, ToolCall } from '@/lib/runtime/record/messages';

/**
 * What a server puts beside the text and the calls of an answer and expects back in the next request: reasoning under the name in
 * which it came, and signatures. It is kept as it came and goes back to the same host only.
 *
 *   data.as        the name under which `message.reasoning` goes back: `reasoning_content`, `reasoning`
 *   data.parts     parts with thoughts, if the content came as a list of parts
 *   data.message   members of the message, such as `reasoning_details`
 *   data.calls     members of the calls, such as `extra_content`, by the id of the call
 *   data.written   calls as the model wrote them, by id, where a hook changed what is called
 */

/** Lists that come in pieces (OpenRouter and MiniMax; LiteLLM), and other members. */
const listMembers = ['reasoning_details', 'thinking_blocks'] as const;
const otherMembers = ['extra_content', 'provider_specific_fields'] as const;
const callMembers = ['extra_content', 'thought_signature', 'provider_specific_fields'] as const;

/** The names of all members that are sent back, to recognise a refusal of them. */
export const sentBackNames: readonly string[] = [
  ...['reasoning_content', 'reasoning', 'thinking', 'thought_signature', ...listMembers, ...otherMembers],
];

/** Collects the members from the pieces of one answer. */
export class ProviderMembers {
  private as: string | undefined;
  private readonly lists = new Map<string, Record<string, unknown>[]>();
  private readonly others = new Map<string, unknown>();
  private readonly parts: Record<string, unknown>[] = [];
  private readonly calls = new Map<number, Record<string, unknown>>();

  /** Called with the name under which plain reasoning came. */
  nameReasoning(name: string): void {
    this.as ??= name;
  }

  /** Takes a part of the content that has a thought. */
  takePart(part: Record<string, unknown>): void {
    addPiece(this.parts, part);
  }

  /** Takes the members of a message or of a piece of one. Returns about how many bytes they need. */
  take(delta: Record<string, unknown>): number {
    let bytes = 0;
    for (const name of listMembers) {
      const pieces = delta[name];
      if (!Array.isArray(pieces)) continue;
      const list = this.lists.get(name) ?? [];
      this.lists.set(name, list);
      for (const piece of pieces.filter(isRecord)) addPiece(list, piece);
      bytes += sizeOf(pieces);
    }
    for (const name of otherMembers) {
      const value = delta[name];
      if (!hasContent(value)) continue;
      this.others.set(name, merged(this.others.get(name), value));
      bytes += sizeOf(value);
    }
    return bytes;
  }

  /** Takes the members of a call. Returns about how many bytes they need. */
  takeCall(number: number, call: Record<string, unknown>): number {
    let bytes = 0;
    for (const name of callMembers) {
      const value = call[name];
      if (!hasContent(value)) continue;
      const known = this.calls.get(number) ?? {};
      this.calls.set(number, { ...known, [name]: merged(known[name], value) });
      bytes += sizeOf(value);
    }
    return bytes;
  }

  /** The thoughts in `reasoning_details`, for servers that write them nowhere else. */
  static thoughtsIn(delta: Record<string, unknown>): string {
    const details = delta.reasoning_details;
    if (!Array.isArray(details)) return '';
    return details.map((one) => (isRecord(one) && typeof one.text === 'string' ? one.text : '')).join('');
  }

  /** Returns all members, or `undefined` if there are none. `idOf` returns the id of the n-th call that was received. */
  finish(origin: string, idOf: (number: number) => string | undefined): FromProvider | undefined {
    const message = Object.fromEntries([...this.lists, ...this.others]);
    const calls = Object.fromEntries(
      [...this.calls].flatMap(([number, members]) => {
        const id = idOf(number);
        return id === undefined ? [] : [[id, members] as const];
      }),
    );
    const data = {
      ...(this.as !== undefined && { as: this.as }),
      ...(this.parts.length > 0 && { parts: this.parts }),
      ...(Object.keys(message).length > 0 && { message }),
      ...(Object.keys(calls).length > 0 && { calls }),
    };
    return Object.keys(data).length === 0 ? undefined : { origin, data: asJson(data) };
  }
}

/** The members to send back with a message, and with each of its calls. */
export interface SentBack {
  readonly message: JsonObject;
  /** The whole content, if it goes back as a list of parts. */
  readonly content: readonly Json[] | undefined;
  ofCall(id: string): JsonObject | undefined;
}

/** Returns what goes back to this origin with a message; `undefined` if nothing does. */
export function sentBack(message: AssistantMessage, origin: string, text: string): SentBack | undefined {
  const { fromProvider, reasoning } = message;
  if (fromProvider === undefined || fromProvider.origin !== origin) return undefined;
  const { as, parts, message: members, calls } = fromProvider.data;
  const ofCalls = { ...objectOf(calls), ...placeholderFor(message, objectOf(calls)) };
  return {
    message: {
      ...(typeof as === 'string' && reasoning !== undefined && { [as]: reasoning }),
      ...objectOf(members),
    },
    content: Array.isArray(parts) ? [...parts, ...(text === '' ? [] : [{ type: 'text', text }])] : undefined,
    ofCall: (id) => (Object.hasOwn(ofCalls, id) ? objectOf(ofCalls[id]) : undefined),
  };
}

/**
 * Gemini signs only the first of parallel calls, and refuses an answer whose first call has no signature. If a hook removed that call, Google's
 * documented placeholder goes with the one that is now the first. A signature never moves to another call.
 */
function placeholderFor({ toolCalls }: AssistantMessage, calls: JsonObject): JsonObject {
  const [first] = toolCalls;
  if (first === undefined || Object.hasOwn(calls, first.id)) return {};
  const wasSigned = Object.entries(calls).some(
    ([id, members]) => !toolCalls.some((call) => call.id === id) && isSignedByGoogle(members),
  );
  return wasSigned ? { [first.id]: { extra_content: { google: { thought_signature: unsigned } } } } : {};
}

const unsigned = 'skip_thought_signature_validator';

function isSignedByGoogle(members: Json): boolean {
  return objectOf(objectOf(objectOf(members).extra_content).google).thought_signature !== undefined;
}

/** Returns the calls of a message as its provider gets them: as the model wrote them, if the answer came from there. */
export function callsAsWritten({ toolCalls, fromProvider }: AssistantMessage, origin: string): readonly ToolCall[] {
  const written = fromProvider?.origin === origin ? fromProvider.data.written : undefined;
  if (!isRecord(written)) return toolCalls;
  return toolCalls.map((call) => {
    const one = Object.hasOwn(written, call.id) ? objectOf(written[call.id]) : {};
    const { name, argumentsText } = one;
    return typeof name === 'string' && typeof argumentsText === 'string' ? { ...call, name, argumentsText } : call;
  });
}

/** Texts of which each piece brings the next part. All other members of a piece replace what came before. */
const growing: ReadonlySet<string> = new Set(['text', 'thinking', 'summary', 'reasoning', 'signature', 'data']);

/**
 * Adds a piece of a list. It belongs to the element with its index, or without one to the last element, if that has the same type
 * and is not closed by a signature.
 */
function addPiece(list: Record<string, unknown>[], piece: Record<string, unknown>): void {
  const { index } = piece;
  const at =
    typeof index === 'number' || typeof index === 'string'
      ? list.findLastIndex((one) => one.index === index && isSameType(one, piece))
      : mayContinue(list.at(-1), piece)
        ? list.length - 1
        : -1;
  const known = list[at];
  if (known === undefined) list.push({ ...piece });
  else grow(known, piece);
}

function isSameType(known: Record<string, unknown>, piece: Record<string, unknown>): boolean {
  return piece.type === undefined || piece.type === known.type;
}

function mayContinue(known: Record<string, unknown> | undefined, piece: Record<string, unknown>): boolean {
  if (known === undefined || known.index !== undefined || !isSameType(known, piece)) return false;
  const isOther = typeof piece.id === 'string' && typeof known.id === 'string' && piece.id !== known.id;
  const isClosed = typeof known.signature === 'string' && known.signature !== '';
  // Encrypted elements come whole.
  return !isOther && !isClosed && known.data === undefined && piece.data === undefined;
}

function grow(known: Record<string, unknown>, piece: Record<string, unknown>): void {
  // MiniMax repeats the whole text in each piece.
  const isRepeated = typeof piece.format === 'string' && piece.format.startsWith('MiniMax');
  for (const [name, value] of Object.entries(piece)) {
    const before = known[name];
    if (value === null || value === undefined) continue;
    if (typeof value === 'string' && typeof before === 'string' && growing.has(name)) {
      known[name] = isRepeated && value.startsWith(before) ? value : before + value;
    } else if (Array.isArray(value) && Array.isArray(before)) {
      const list = before.filter(isRecord);
      for (const one of value.filter(isRecord)) addPiece(list, one);
      known[name] = list;
    } else known[name] = value;
  }
}

/** Merges objects member by member. Any other value replaces the one before. */
function merged(before: unknown, value: unknown): unknown {
  if (!isRecord(before) || !isRecord(value)) return value;
  const all = { ...before };
  for (const [name, one] of Object.entries(value)) if (hasContent(one)) all[name] = merged(before[name], one);
  return all;
}

/** False for nothing, and for lists and objects that hold nothing. */
function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(hasContent);
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** All values were parsed from JSON. */
function asJson(value: Record<string, unknown>): JsonObject {
  return objectOf(parseJson(JSON.stringify(value)));
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function isJsonObject(value: Json): value is JsonObject {
  return isRecord(value);
}
