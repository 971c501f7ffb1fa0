import { isRecord } from '@/lib/base/json';
import type { Usage } from '@/lib/runtime/record/messages';

/** Reads the `usage` of a chat completion. What is not a count of tokens counts as 0. */
export function usageOf(usage: Record<string, unknown>): Usage {
  return {
    inputTokens: count(usage, 'prompt_tokens'),
    outputTokens: count(usage, 'completion_tokens'),
    cachedInputTokens: count(usage.prompt_tokens_details, 'cached_tokens'),
    reasoningTokens: count(usage.completion_tokens_details, 'reasoning_tokens'),
    modelCalls: 1,
  };
}

/** Some servers write counts as text, and -1 for a count that they do not know. */
function count(from: unknown, name: string): number {
  const given = isRecord(from) ? from[name] : undefined;
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
