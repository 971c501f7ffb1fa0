import { brandAs, type CallId } from '@/lib/base/ids';
import { parseJson } from '@/lib/base/json';
import type { ModelRequest, ModelResponse } from '@/lib/runtime/ports';
import type { ContentBlock, Message, StopReason, ToolCall, ToolResult } from '@/lib/runtime/record/messages';
import { noUsage } from '@/lib/runtime/record/messages';
import { resultForModel } from '@/lib/runtime/record/result-text';
import { failed, textContent } from './response';

const callTool = '***CALL_TOOL';
const fixedResponse = '***FIXED_RESPONSE';

/**
 * Answers like fast-agent's `passthrough` test model. fast-agent keeps the fixed response and the call counter in the model
 * object. Here both are read from the messages, so that a resumed run answers as before.
 */
export function answerPassthrough(request: ModelRequest, options: { readonly reportUsage: boolean }): ModelResponse {
  const { messages } = request;
  const usage = options.reportUsage ? { ...noUsage, modelCalls: 1 } : noUsage;
  const answer = (text: string, stopReason: StopReason, toolCalls: readonly ToolCall[] = []): ModelResponse => ({
    ok: true,
    message: { role: 'assistant', content: textContent(text), toolCalls, stopReason },
    usage,
    requests: 0,
  });

  const last = messages.at(-1);
  if (last?.role === 'assistant') return { ok: true, message: last, usage, requests: 0 };
  if (last?.role === 'tool') {
    return answer(last.results.map(({ result }) => readResult(result)).join(' '), 'end_turn');
  }

  const group = trailingUserMessages(messages);
  const command = firstText(group.at(-1));
  const text = fixedResponseOf(messages) || group.map((message) => textBlocks(message.content)).join('\n');
  if (!command.startsWith(callTool)) return answer(text, 'end_turn');

  const call = parseCall(command, messages);
  return typeof call === 'string' ? failed('model_directive', call) : answer(text, 'tool_use', [call]);
}

type UserMessage = Extract<Message, { role: 'user' }>;

function trailingUserMessages(messages: readonly Message[]): readonly UserMessage[] {
  const group: UserMessage[] = [];
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    if (message?.role !== 'user') break;
    group.unshift(message);
  }
  return group;
}

/**
 * Returns the text of the latest user message that began with `***FIXED_RESPONSE`, if a model call has read it as its last
 * message.
 */
function fixedResponseOf(messages: readonly Message[]): string {
  for (let i = messages.length - 1; i >= 0; i -= 1) {
    const message = messages[i];
    if (message?.role !== 'user' || messages[i + 1]?.role === 'user') continue;
    const text = firstText(message);
    if (text.startsWith(fixedResponse)) return text.slice(fixedResponse.length).trim();
  }
  return '';
}

/** Splits at the first two spaces, as fast-agent does. Returns a string for an error. */
function parseCall(command: string, messages: readonly Message[]): ToolCall | string {
  const [, name, ...rest] = command.split(' ');
  if (name === undefined) return "Invalid format. Expected '***CALL_TOOL <tool_name> [arguments_json]'";
  const argumentsText = rest.join(' ');
  if (rest.length > 0 && parseJson(argumentsText) === undefined) return `Invalid JSON arguments: ${argumentsText}`;
  const earlier = messages.reduce((n, message) => n + (message.role === 'assistant' ? message.toolCalls.length : 0), 0);
  return {
    id: brandAs<CallId>(`correlationId${earlier}`),
    name: name.trim(),
    argumentsText: rest.length > 0 ? argumentsText : '{}',
  };
}

function firstText(message: UserMessage | undefined): string {
  const block = message?.content.find((candidate) => candidate.type === 'text');
  return block?.type === 'text' ? block.text : '';
}

/** Returns the text that fast-agent's model repeats. A failed result is marked as failed. */
function readResult(result: ToolResult): string {
  return result.isError ? resultForModel(result) : textBlocks(result.content) || '<empty>';
}

function textBlocks(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
