import type { Message } from '@/lib/runtime/record/messages';

/**
 * `trim_tool_history` shortens a turn that has ended. It keeps the user's message, the last tool calls with their results,
 * and the answer, as fast-agent's built-in hook does. A turn with one batch, or without an answer, is not changed.
 */
export function trimToolHistory(messages: readonly Message[]): readonly Message[] {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(Math.max(0, start));
  const [first] = turn;
  const answer = turn.at(-1);
  const batches = turn.flatMap((message, index) =>
    message.role === 'assistant' && message.toolCalls.length > 0 ? [index] : [],
  );
  const last = batches.at(-1);
  if (!first || answer?.role !== 'assistant' || batches.length < 2 || last === undefined) return messages;
  const call = turn[last];
  const results = turn[last + 1];
  if (!call || results?.role !== 'tool') return messages;
  return [...messages.slice(0, Math.max(0, start)), first, call, results, answer];
}
