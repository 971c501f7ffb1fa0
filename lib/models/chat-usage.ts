import { isRecord } from '@/lib/base/json';
import type { Usage } from '@/lib/runtime/record/messages';

/**
 * Reads the `usage` of a chat completion. What is not a count of tokens counts as 0. Tokens of the cache are in the details (OpenAI,
 * OpenRouter) or beside them (DeepSeek's `prompt_cache_hit_tokens`, Moonshot's `cached_tokens`, LiteLLM's `cache_creation_input_tokens`).
 */
export function usageOf(usage: Record<string, unknown>): Usage {
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage;
  const inputTokens = count(usage, 'prompt_tokens');
  const cached =
    count(input, 'cached_tokens') || count(usage, 'prompt_cache_hit_tokens') || count(usage, 'cached_tokens');
  const written = count(input, 'cache_write_tokens') || count(usage, 'cache_creation_input_tokens');
  const told = count(output, 'reasoning_tokens');
  const completion = count(usage, 'completion_tokens');
  const beside = thinkingBeside(count(usage, 'total_tokens') - inputTokens - completion, told, cached, written);
  return {
    inputTokens,
    outputTokens: completion + beside,
    cachedInputTokens: cached,
    reasoningTokens: told || beside,
    modelCalls: 1,
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}

/**
 * Returns the tokens of thinking that `completion_tokens` does not count: xAI tells them beside it, and Google only in the total, of
 * which `rest` is left. A gateway of Anthropic's may count its cache there.
 */
function thinkingBeside(rest: number, told: number, cached: number, written: number): number {
  if (rest <= 0) return 0;
  if (told > 0) return rest === told ? told : 0;
  return [cached, written, cached + written].includes(rest) ? 0 : rest;
}

/** Some servers write counts as text, and -1 for a count that they do not know. */
function count(from: unknown, name: string): number {
  const given = isRecord(from) ? from[name] : undefined;
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
