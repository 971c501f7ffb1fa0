import { brandAs, type CallId } from '@/lib/base/ids';
import { isRecord, parseJson } from '@/lib/base/json';
import type { ToolCall } from '@/lib/runtime/record/messages';
import { argumentsIn } from './event-reader';
import { TextPieces } from './text-pieces';

/**
 * The tool calls of a chat completion, from pieces. Servers disagree about what identifies a call:
 *
 *   an id                 identifies it, whatever its index; a piece with another id and a name begins a new call
 *   an index without id   is a hint: a piece with a name begins a new call if the call at that index has complete arguments
 *   neither               a place of its own in one array, or a name after complete arguments, begins a new call
 */

/** Where a piece came from. */
export interface CallPlace {
  /** The number of the chunk that had it. */
  readonly chunk: number;
  readonly position: number;
  /** True for an answer that is not streamed: each entry of its array is a whole call. */
  readonly isWhole: boolean;
}

export interface PartialCall {
  /** Counts the calls from 0, in order of arrival. */
  readonly number: number;
  readonly index: number | undefined;
  id: string;
  name: string;
  readonly arguments: TextPieces;
  /** How the live stream names it, once its name is known. */
  part: { readonly call: number; readonly toolName: string } | undefined;
  place: CallPlace;
  lastText: string;
  /** Its name came once more after complete arguments: if arguments follow, they belong to a new call of that name. */
  isNamedAgain: boolean;
  /** How often its arguments were parsed to see whether they are complete. */
  checks: number;
}

export interface CallPiece {
  readonly call: PartialCall;
  readonly isNew: boolean;
  readonly name: string;
  /** A piece of the arguments. */
  readonly text: string;
}

/** A server that names the call in each piece would have its arguments parsed for each piece. */
const maxChecks = 64;

export class ChatCalls {
  private readonly calls: PartialCall[] = [];
  private readonly byId = new Map<string, PartialCall>();
  private readonly byIndex = new Map<number, PartialCall>();

  get size(): number {
    return this.calls.length;
  }

  /** Finds or begins the call of a piece. The caller adds name and text to it. `undefined` for a piece that is to be left out. */
  locate(piece: Record<string, unknown>, place: CallPlace): CallPiece | undefined {
    const id = typeof piece.id === 'string' ? piece.id : '';
    const index = place.isWhole ? undefined : indexOf(piece.index);
    const inner = isRecord(piece.function) ? piece.function : undefined;
    let name = typeof inner?.name === 'string' ? inner.name : '';
    const text = argumentsIn(inner, 'arguments');
    const known = place.isWhole ? undefined : this.known(id, index);
    const relation = known === undefined ? 'new' : relate(known, { id, index, name, text, place });
    if (relation === 'repeat') return undefined;
    if (known !== undefined && relation === 'same') {
      known.place = place;
      if (known.id === '' && id !== '') this.identify(known, id);
      return { call: known, isNew: false, name, text };
    }
    if (known?.isNamedAgain && name === '') name = known.name;
    return { call: this.begin(id, index, place), isNew: true, name, text };
  }

  /** The calls in the order in which the server counts them. A call without an id gets `<prefix>-c<n>`. */
  list(idPrefix: string, nameOf: (name: string) => string): readonly ToolCall[] {
    // Results are told apart by the id of their call.
    const taken = new Set<string>();
    return [...this.calls]
      .sort((a, b) => (a.index ?? a.number) - (b.index ?? b.number))
      .map((call, place) => {
        if (call.id === '' || taken.has(call.id)) call.id = `${idPrefix}-c${place + 1}`;
        taken.add(call.id);
        return { id: brandAs<CallId>(call.id), name: nameOf(call.name), argumentsText: call.arguments.text() };
      });
  }

  /** The id of the n-th call that was received. */
  idOf(number: number): string | undefined {
    return this.calls[number]?.id;
  }

  private known(id: string, index: number | undefined): PartialCall | undefined {
    const identified = id === '' ? undefined : this.byId.get(id);
    return identified ?? (index === undefined ? this.calls.at(-1) : this.byIndex.get(index));
  }

  private begin(id: string, index: number | undefined, place: CallPlace): PartialCall {
    const number = this.calls.length;
    const call: PartialCall = {
      number,
      index,
      id: '',
      name: '',
      arguments: new TextPieces(),
      part: undefined,
      place,
      lastText: '',
      isNamedAgain: false,
      checks: 0,
    };
    this.calls.push(call);
    if (index !== undefined) this.byIndex.set(index, call);
    if (id !== '') this.identify(call, id);
    return call;
  }

  private identify(call: PartialCall, id: string): void {
    call.id = id;
    this.byId.set(id, call);
  }
}

interface Seen {
  readonly id: string;
  readonly index: number | undefined;
  readonly name: string;
  readonly text: string;
  readonly place: CallPlace;
}

/** Says whether a piece continues a call, begins a new one, or repeats what was sent already. */
function relate(call: PartialCall, { id, index, name, text, place }: Seen): 'same' | 'new' | 'repeat' {
  const isOtherId = id !== '' && call.id !== '' && call.id !== id;
  if (isOtherId) {
    // Some servers make up an id for each piece of a call, and name the call in the first one only.
    const continues = index !== undefined && name === '' && !isComplete(call);
    return continues ? 'same' : 'new';
  }
  if (name === '') return call.isNamedAgain && text !== '' ? 'new' : 'same';
  if (call.name === '') return 'same';
  const isBeside = index === undefined && call.place.chunk === place.chunk && call.place.position !== place.position;
  if (isBeside) return 'new';
  if (name !== call.name && (id === '' || call.id !== id)) return 'new';
  if (!isComplete(call)) return 'same';
  if (text === '') {
    if (id === '') call.isNamedAgain = true;
    return 'same';
  }
  return id !== '' && call.arguments.text() === text ? 'repeat' : 'new';
}

/** True if the arguments are a whole JSON object. */
function isComplete(call: PartialCall): boolean {
  if (!call.lastText.trimEnd().endsWith('}') || call.checks >= maxChecks) return false;
  call.checks += 1;
  return isRecord(parseJson(call.arguments.text()));
}

/** Some servers write the index as text. */
function indexOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
