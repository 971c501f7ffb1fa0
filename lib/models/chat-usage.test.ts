import { expect, test } from 'vitest';
import { usageOf } from './chat-usage';

const counts = (usage: Record<string, unknown>) => {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens = 0, reasoningTokens } = usageOf(usage);
  return [inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens];
};

test.each<[string, Record<string, unknown>, readonly number[]]>([
  ['nothing', {}, [0, 0, 0, 0, 0]],
  [
    'OpenAI',
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 30 },
    },
    [100, 50, 40, 0, 30],
  ],
  [
    'OpenRouter',
    {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 },
    },
    [100, 50, 40, 20, 0],
  ],
  [
    'DeepSeek',
    { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, prompt_cache_hit_tokens: 64 },
    [100, 50, 64, 0, 0],
  ],
  [
    'Moonshot',
    { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cached_tokens: 64 },
    [100, 50, 64, 0, 0],
  ],
  [
    'LiteLLM',
    { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150, cache_creation_input_tokens: 20 },
    [100, 50, 0, 20, 0],
  ],
  [
    'xAI, whose thinking is beside the answer',
    { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } },
    [32, 103, 0, 0, 94],
  ],
  [
    'Google, whose thinking is in the total alone',
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 115 },
    [10, 105, 0, 0, 100],
  ],
  [
    'a gateway that counts its cache in the total',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 75,
      prompt_tokens_details: { cached_tokens: 40 },
      cache_creation_input_tokens: 20,
    },
    [10, 5, 40, 20, 0],
  ],
  ['a total that is too small', { prompt_tokens: 10, completion_tokens: 5, total_tokens: 1 }, [10, 5, 0, 0, 0]],
  ['counts as text, and -1', { prompt_tokens: '10', completion_tokens: -1, total_tokens: null }, [10, 0, 0, 0, 0]],
])('the tokens that %s counts', (_, usage, expected) => {
  expect(counts(usage)).toEqual(expected);
});
