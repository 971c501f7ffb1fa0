import type { RunEvent } from '@/lib/runtime/record/events';
import type { StopReason } from '@/lib/runtime/record/messages';
import { decimal, flag, integer, type OtlpAttribute, text, texts } from './otlp-json';

/** Returns a model's name without its parameters, such as `gpt-5` for `gpt-5?reasoning=low`. */
export function nameOf(model: string): string {
  return model.replace(/\?.*$/s, '').trim();
}

/**
 * Returns what a model call used and how it ended, by semantic-conventions v1.41. As the conventions want it, cached tokens
 * are counted as input, and reasoning tokens as output.
 */
export function modelAttributes(event: Extract<RunEvent, { kind: 'model.ended' }>): OtlpAttribute[] {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cacheWriteTokens = 0 } = event.usage;
  const attributes = [
    integer('gen_ai.usage.input_tokens', inputTokens),
    integer('gen_ai.usage.output_tokens', outputTokens),
  ];
  if (cachedInputTokens > 0) attributes.push(integer('gen_ai.usage.cache_read.input_tokens', cachedInputTokens));
  if (cacheWriteTokens > 0) attributes.push(integer('gen_ai.usage.cache_creation.input_tokens', cacheWriteTokens));
  if (reasoningTokens > 0) attributes.push(integer('gen_ai.usage.reasoning.output_tokens', reasoningTokens));
  // Not a name of the conventions, but one that other tools use.
  if (event.costUsd !== undefined) attributes.push(decimal('gen_ai.usage.cost', event.costUsd));
  if (event.message) attributes.push(texts('gen_ai.response.finish_reasons', [finish[event.message.stopReason]]));
  if (event.firstTokenMs !== undefined) {
    attributes.push(flag('gen_ai.request.stream', true));
    attributes.push(decimal('gen_ai.response.time_to_first_chunk', event.firstTokenMs / 1_000));
  }
  return attributes;
}

export function toolAttributes(event: Extract<RunEvent, { kind: 'tool.started' }>): OtlpAttribute[] {
  const attributes = [
    text('gen_ai.operation.name', 'execute_tool'),
    text('gen_ai.tool.name', event.toolName),
    text('gen_ai.tool.call.id', event.callId),
    text('callboard.tool_source', event.source),
    text('callboard.correlation_id', event.correlationId),
  ];
  if (event.serverName !== undefined) attributes.push(text('callboard.tool_server', event.serverName));
  return attributes;
}

/** The words for stop reasons in the conventions' schema of output messages. */
const finish: Readonly<Record<StopReason, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_call',
  safety: 'content_filter',
};
