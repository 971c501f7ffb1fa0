import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Message } from '@/lib/runtime/record/messages';

/**
 * The part of a parent's conversation that a child gets: complete exchanges only. The last message is cut if its calls are
 * open. With `last: n` it begins at the first of these messages that is not a tool result, so it may have fewer than n.
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
