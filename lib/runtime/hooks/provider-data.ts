import { canonicalJson } from '@/lib/base/canonical-json';
import { parseJson } from '@/lib/base/json';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';

/**
 * What a provider added to its answers (`fromProvider`) is not for hooks: they get messages without it, and what they leave as it was
 * has it again. It goes with the words it came with, so a message that a hook changed loses it.
 */
export function withoutProviderData(message: Message): Message {
  if (message.role !== 'assistant' || message.fromProvider === undefined) return message;
  const { fromProvider: _, ...shown } = message;
  return shown;
}

/** Returns the messages after a hook, with the additions of those that were there before it. */
export function withProviderData(after: readonly Message[], before: readonly Message[]): readonly Message[] {
  const added = before.filter((message) => message.role === 'assistant' && message.fromProvider !== undefined);
  if (added.length === 0) return after;
  const byWords = new Map(added.map((message) => [wordsOf(message), message]));
  return after.map((message) => (message.role === 'assistant' ? (byWords.get(wordsOf(message)) ?? message) : message));
}

/** Returns the answer after a hook, with the addition if it says what it said before. */
export function answerWithProviderData(after: AssistantMessage, before: AssistantMessage): AssistantMessage {
  if (before.fromProvider === undefined || wordsOf(after) !== wordsOf(before)) return after;
  return { ...after, fromProvider: before.fromProvider };
}

function wordsOf(message: Message): string {
  // Optional members that are absent are not in the JSON.
  return canonicalJson(parseJson(JSON.stringify(withoutProviderData(message))) ?? null);
}
