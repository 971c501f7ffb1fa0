import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Message } from '@/lib/runtime/record/messages';

/**
 * Returns the part of a parent's conversation that a child gets. It holds complete exchanges only, so the last message is
 * left out if its calls have no results yet. With `last: n` it begins at the first of the last n messages that is not a
 * tool result, so it may have fewer than n messages.
 */
export function projectHistory(
  messages: readonly Message[],
  history: DelegationOptions['history'] = 'none',
): readonly Message[] {
  if (history === 'none') return [];
  const last = messages.at(-1);
  const isOpen = last?.role === 'assistant' && last.toolCalls.length > 0;
  const complete = isOpen ? messages.slice(0, -1) : messages.slice();
  if (history === 'full') return complete;
  let start = Math.max(0, complete.length - history.last);
  while (complete[start]?.role === 'tool') start += 1;
  return complete.slice(start);
}
