import type { RunMarks } from '@/lib/base/run-marks';
import type { RunEvent } from '@/lib/runtime/record/events';
import type { StopReason, Usage } from '@/lib/runtime/record/messages';
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
  const attributes = usageAttributes(event.usage, event.costUsd ?? event.usage.recorded?.usd);
  if (event.message) attributes.push(texts('gen_ai.response.finish_reasons', [finishWords[event.message.stopReason]]));
  if (event.firstTokenMs !== undefined) {
    attributes.push(flag('gen_ai.request.stream', true));
    attributes.push(decimal('gen_ai.response.time_to_first_chunk', event.firstTokenMs / 1_000));
  }
  return attributes;
}

export function usageAttributes(usage: Usage, costUsd: number | undefined): OtlpAttribute[] {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cacheWriteTokens = 0 } = usage;
  const attributes = [
    integer('gen_ai.usage.input_tokens', inputTokens),
    integer('gen_ai.usage.output_tokens', outputTokens),
  ];
  if (cachedInputTokens > 0) attributes.push(integer('gen_ai.usage.cache_read.input_tokens', cachedInputTokens));
  if (cacheWriteTokens > 0) attributes.push(integer('gen_ai.usage.cache_creation.input_tokens', cacheWriteTokens));
  if (reasoningTokens > 0) attributes.push(integer('gen_ai.usage.reasoning.output_tokens', reasoningTokens));
  // Not a name of the conventions, but one that other tools use.
  if (costUsd !== undefined) attributes.push(decimal('gen_ai.usage.cost', costUsd));
  return attributes;
}

/**
 * Returns what an instance used beside its model calls, such as the tokens that an imported agent reports whose calls are not in its trace.
 * What the calls used is on their own spans, and a sum over the trace would count it twice.
 */
export function usageBeside(reported: Usage, calls: Usage): OtlpAttribute[] {
  const left = (key: 'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'reasoningTokens' | 'cacheWriteTokens') =>
    Math.max(0, (reported[key] ?? 0) - (calls[key] ?? 0));
  const usd = (reported.recorded?.usd ?? 0) - (calls.recorded?.usd ?? 0);
  const tokens = left('inputTokens') + left('outputTokens');
  if (tokens === 0 && usd <= leastUsd) return [];
  const usage: Usage = {
    inputTokens: left('inputTokens'),
    outputTokens: left('outputTokens'),
    cachedInputTokens: left('cachedInputTokens'),
    reasoningTokens: left('reasoningTokens'),
    cacheWriteTokens: left('cacheWriteTokens'),
    modelCalls: 0,
  };
  return usageAttributes(usage, reported.recorded === undefined ? undefined : Math.max(0, usd));
}

/** Less is noise of floating-point sums, because a token costs more. */
const leastUsd = 1e-10;

/** Returns for whom a run works, its tags and its metadata, by the names that OpenInference has for them. */
export function markAttributes({ user, tags, metadata }: RunMarks): OtlpAttribute[] {
  return [
    ...(user === undefined ? [] : [text('user.id', user)]),
    ...(tags === undefined ? [] : [texts('tag.tags', tags)]),
    ...(metadata === undefined ? [] : [text('metadata', JSON.stringify(metadata))]),
  ];
}

/** The words for stop reasons in the conventions' schema of output messages. */
export const finishWords: Readonly<Record<StopReason, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_call',
  safety: 'content_filter',
};
