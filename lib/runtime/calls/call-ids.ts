import { brandAs, type CallId } from '@/lib/base/ids';
import type { AssistantMessage, ToolCall } from '@/lib/runtime/record/messages';

/**
 * Providers match results to calls by id, so two calls of one batch must not share one and none may be empty. A repeated id
 * gets `_2`, `_3`, …; `callsBefore` numbers the empty ones. The same message gives the same ids on resume.
 */
export function withUniqueCallIds(message: AssistantMessage, callsBefore: number): AssistantMessage {
  const seen = new Set<string>();
  for (const call of message.toolCalls) if (call.id !== '') seen.add(call.id);
  if (seen.size === message.toolCalls.length) return message;
  const taken = new Set<string>();
  const toolCalls = message.toolCalls.map((call, index): ToolCall => {
    const wanted = call.id === '' ? `call_${callsBefore + index + 1}` : call.id;
    let id = wanted;
    for (let n = 2; taken.has(id) || (id !== call.id && seen.has(id)); n++) id = `${wanted}_${n}`;
    taken.add(id);
    return { ...call, id: brandAs<CallId>(id) };
  });
  return { ...message, toolCalls };
}
