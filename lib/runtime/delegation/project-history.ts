import type { DelegationOptions } from '@/lib/cards/delegation-settings';
import type { Message } from '@/lib/runtime/record/messages';

/**
 * The part of a parent's conversation that a child is given: complete exchanges only. The calls that are open, the
 * delegation itself among them, are cut; with `last: n` the beginning moves forward to where no result lacks its call, so
 * fewer than n messages may remain.
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
