import type { ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { AssistantMessage, Message } from '@/lib/runtime/record/messages';
import { noUsage, textOf } from '@/lib/runtime/record/messages';
import { textContent } from './response';

/**
 * Answers like fast-agent's `playback` test model. The first call stores the conversation and confirms it. Each later call
 * answers with the next stored assistant message, without its tool calls. The position is read from the messages.
 */
export function answerPlayback(request: ModelRequest): ModelResponse {
  const { messages } = request;
  const size = messages.findIndex(isLoadedNotice);
  if (size === -1) return said(`HISTORY LOADED (${messages.length}) messages`);

  const stored = messages.slice(0, size).filter((message) => message.role === 'assistant');
  const position = messages.slice(size + 1).filter((message) => message.role === 'assistant').length;
  const next = stored[position];
  if (next === undefined) {
    return said(`MESSAGES EXHAUSTED (list size ${size}) (${position - stored.length} overage)`);
  }
  return answer({ ...next, toolCalls: [], stopReason: 'end_turn' });
}

function isLoadedNotice(message: Message, index: number): boolean {
  return message.role === 'assistant' && textOf(message.content) === `HISTORY LOADED (${index}) messages`;
}

function said(text: string): ModelResponse {
  return answer({ role: 'assistant', content: textContent(text), toolCalls: [], stopReason: 'end_turn' });
}

function answer(message: AssistantMessage): ModelResponse {
  return { ok: true, message, usage: { ...noUsage, modelCalls: 1 }, requests: 0 };
}
