import { canonicalJson } from '@/lib/base/canonical-json';
import { isRecord, type Json, parseJson } from '@/lib/base/json';
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

/** Returns the messages after a hook, with the additions of those that were there before it. */
export function withProviderData(after: readonly Message[], before: readonly Message[]): readonly Message[] {
  const added = before.filter((message) => message.role === 'assistant').filter(hasAddition);
  if (added.length === 0) return after;
  const byWords = new Map(added.map((message) => [wordsOf(message), message]));
  const same = after.map((message) => (message.role === 'assistant' ? byWords.get(wordsOf(message)) : undefined));
  // Two answers may have calls of the same id, so each counts once.
  const changed = new Set(added.filter((message) => !same.includes(message)));
  return after.map((message, index) => {
    if (message.role !== 'assistant') return message;
    const found = same[index];
    if (found !== undefined) return found;
    for (const original of changed) {
      const whole = withAdditionsOfCalls(message, original);
      if (whole === message) continue;
      changed.delete(original);
      return whole;
    }
    return message;
  });
}

/** Returns the answer after a hook, with the addition if it says what it said before. */
export function answerWithProviderData(after: AssistantMessage, before: AssistantMessage): AssistantMessage {
  if (before.fromProvider === undefined) return after;
  if (wordsOf(after) !== wordsOf(before)) return withAdditionsOfCalls(after, before);
  return { ...after, fromProvider: before.fromProvider };
}

/**
 * Returns a changed answer with the additions of the calls that are as they were. A signature of one call (`data.calls`, by the id of
 * the call) says nothing about the others.
 */
function withAdditionsOfCalls(after: AssistantMessage, before: AssistantMessage): AssistantMessage {
  const { origin = '', data } = before.fromProvider ?? {};
  const additions = data?.calls;
  if (!isRecord(additions)) return after;
  const calls: Record<string, Json> = {};
  for (const { id, name, argumentsText } of after.toolCalls) {
    const isSame = before.toolCalls.some(
      (call) => call.id === id && call.name === name && call.argumentsText === argumentsText,
    );
    const addition = Object.hasOwn(additions, id) ? additions[id] : undefined;
    if (isSame && addition !== undefined) calls[id] = addition;
  }
  return Object.keys(calls).length === 0 ? after : { ...after, fromProvider: { origin, data: { calls } } };
}

function hasAddition({ fromProvider }: AssistantMessage): boolean {
  return fromProvider !== undefined;
}

function wordsOf(message: Message): string {
  // Optional members that are absent are not in the JSON.
  return canonicalJson(parseJson(JSON.stringify(withoutProviderData(message))) ?? null);
}
