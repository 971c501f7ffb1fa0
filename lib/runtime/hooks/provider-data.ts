import { canonicalJson } from '@/lib/base/canonical-json';
import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';

/**
 * What a provider added to its answers (`fromProvider`) is not for hooks: they get messages without it, and what they leave as it was
 * has it again. It goes with the words it came with, so a message that a hook changed keeps only what belongs to calls that are as they were.
 */
export function withoutProviderData(message: Message): Message {
  if (message.role !== 'assistant' || message.fromProvider === undefined) return message;
  const { fromProvider: _, ...shown } = message;
  return shown;
}

/**
 * Returns the messages after a hook, with the additions of those that were there before it. Some servers number the calls of each
 * answer anew, so answers may have calls of the same id. Each answer counts once: a changed message gets the additions of the one that
 * has its call with the same arguments, otherwise a call of its id, otherwise any. The nearest counts, from the end, because hooks
 * shorten a history at its beginning.
 */
export function withProviderData(after: readonly Message[], before: readonly Message[]): readonly Message[] {
  const added = before.flatMap((message, index) =>
    message.role === 'assistant' && hasAddition(message) ? [{ message, fromEnd: before.length - index }] : [],
  );
  if (added.length === 0) return after;
  const byWords = new Map(added.map(({ message }) => [wordsOf(message), message]));
  const whole = after.map((message) => (message.role === 'assistant' ? byWords.get(wordsOf(message)) : undefined));
  const changed = new Set(added.filter(({ message }) => !whole.includes(message)));
  for (const isFrom of [hasSameCall, hasCallOfSameId, () => true]) {
    for (const [index, message] of after.entries()) {
      if (message.role !== 'assistant' || whole[index] !== undefined) continue;
      const distance = ({ fromEnd }: { readonly fromEnd: number }) => Math.abs(fromEnd - (after.length - index));
      const originals = [...changed]
        .filter((original) => isFrom(message, original.message))
        .sort((a, b) => distance(a) - distance(b));
      for (const original of originals) {
        const found = withAdditionsOfCalls(message, original.message, 'history');
        if (found === message) continue;
        changed.delete(original);
        whole[index] = found;
        break;
      }
    }
  }
  return after.map((message, index) => whole[index] ?? message);
}

function hasSameCall(after: AssistantMessage, before: AssistantMessage): boolean {
  return after.toolCalls.some(({ id, name, argumentsText }) =>
    before.toolCalls.some((call) => call.id === id && call.name === name && call.argumentsText === argumentsText),
  );
}

function hasCallOfSameId(after: AssistantMessage, before: AssistantMessage): boolean {
  return after.toolCalls.some(({ id }) => before.toolCalls.some((call) => call.id === id));
}

/** Returns the answer after a hook, with the addition if it says what it said before. */
export function answerWithProviderData(after: AssistantMessage, before: AssistantMessage): AssistantMessage {
  if (before.fromProvider === undefined) return after;
  if (wordsOf(after) !== wordsOf(before)) return withAdditionsOfCalls(after, before, 'answer');
  return { ...after, fromProvider: before.fromProvider };
}

/**
 * Returns a changed message with the additions that still belong to it. The signature of one call (`data.calls`, by the id of the
 * call) says nothing about the others, and no call goes back without its signature, because providers refuse that. Thinking belongs to
 * the whole answer, so it stays while text and thinking are as they were and every call is there.
 *
 * A hook that changes the calls of an answer decides what is called. The model reads the call as it wrote it (`data.written`), as it
 * does when a person changes arguments. A hook that changes the history decides what the model reads.
 */
function withAdditionsOfCalls(
  after: AssistantMessage,
  before: AssistantMessage,
  changed: 'answer' | 'history',
): AssistantMessage {
  const { origin = '', data = {} } = before.fromProvider ?? {};
  const kept = keepsThinking(after, before) ? data : ofReasoning(after, before, data);
  const calls: Record<string, Json> = {};
  const written: Record<string, Json> = {};
  const additions = membersOf(data.calls);
  const earlier = membersOf(data.written);
  for (const call of after.toolCalls) {
    const original = before.toolCalls.find(({ id }) => id === call.id);
    if (original === undefined) continue;
    const addition = own(additions, call.id);
    if (addition !== undefined) calls[call.id] = addition;
    if (addition === undefined && kept !== data) continue;
    const { name, argumentsText } = original;
    const isChanged = call.name !== name || call.argumentsText !== argumentsText;
    if (isChanged && changed === 'history') continue;
    const first = own(earlier, call.id);
    if (first !== undefined) written[call.id] = first;
    else if (isChanged) written[call.id] = { name, argumentsText };
  }
  if (Object.keys(calls).length === 0) Object.assign(calls, additionsOfRemoved(after, before, additions));
  const { calls: _, written: __, ...rest } = kept;
  const all: JsonObject = {
    ...rest,
    ...(Object.keys(calls).length > 0 && { calls }),
    ...(Object.keys(written).length > 0 && { written }),
  };
  return Object.keys(all).length === 0 ? after : { ...after, fromProvider: { origin, data: all } };
}

/**
 * Returns the addition of the first call, if a hook removed it and others of the answer are left, and those of calls that an earlier hook
 * removed. Gemini signs only the first of parallel calls and refuses an answer without a signature, so the wire must know that there was
 * one.
 */
function additionsOfRemoved(
  after: AssistantMessage,
  before: AssistantMessage,
  additions: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  if (!hasCallOfSameId(after, before)) return {};
  const [first] = before.toolCalls;
  const isLost = (call: string) =>
    call === first?.id
      ? after.toolCalls.every(({ id }) => id !== call)
      : before.toolCalls.every(({ id }) => id !== call);
  return Object.fromEntries(Object.entries(additions).filter(([call]) => isLost(call)));
}

function keepsThinking(after: AssistantMessage, before: AssistantMessage): boolean {
  const withCallsOf = (calls: AssistantMessage['toolCalls']) => wordsOf({ ...after, toolCalls: calls });
  const isSame = withCallsOf(before.toolCalls) === wordsOf(before);
  return isSame && after.toolCalls.map(({ id }) => id).join('\n') === before.toolCalls.map(({ id }) => id).join('\n');
}

/** Plain reasoning goes back under its name (`data.as`), whatever became of the rest: some servers refuse calls without it. */
function ofReasoning(after: AssistantMessage, before: AssistantMessage, { as }: JsonObject): JsonObject {
  return as !== undefined && after.reasoning === before.reasoning && after.toolCalls.length > 0 ? { as } : {};
}

function membersOf(value: Json | undefined): Readonly<Record<string, Json>> {
  return isObject(value) ? value : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

function own(members: Readonly<Record<string, Json>>, id: string): Json | undefined {
  return Object.hasOwn(members, id) ? members[id] : undefined;
}

function hasAddition({ fromProvider }: AssistantMessage): boolean {
  return fromProvider !== undefined;
}

function wordsOf(message: Message): string {
  // Optional members that are absent are not in the JSON.
  return canonicalJson(parseJson(JSON.stringify(withoutProviderData(message))) ?? null);
}
