import type { Json } from '@/lib/base/json';
import type { Usage } from '@/lib/runtime/record/messages';
import { isObject, SpanReader } from './span-reader';

/** Counts of tokens as a source has them; those that it does not have are absent. */
export interface TokenCounts {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cached?: number | undefined;
  readonly written?: number | undefined;
  readonly reasoning?: number | undefined;
  /** True if the input is known to be without tokens of a cache. */
  readonly isBeside?: boolean | undefined;
}

/**
 * Reads the usage that attributes of a span have; `undefined` if they have none. `isBeside`: the source never counts tokens of a cache
 * as input.
 */
export function usageOfSpan(reader: SpanReader, isBeside = false): Usage | undefined {
  return usageOfCounts({
    input: reader.factCount('inputTokens') ?? byModality(reader, 'input_tokens'),
    output: reader.factCount('outputTokens') ?? byModality(reader, 'output_tokens'),
    cached: reader.factCount('cachedTokens') ?? byModality(reader, 'cache_read.input_tokens'),
    written: reader.factCount('writtenTokens'),
    reasoning: reader.factCount('reasoningTokens'),
    isBeside,
  });
}

/** Sums the tokens of text, pictures, sound and films, where only these are recorded. Each number stays visible. */
function byModality(reader: SpanReader, kind: string): number | undefined {
  const counts = ['text', 'image', 'audio', 'video'].flatMap(
    (modality) => reader.unmarked().count(`gen_ai.usage.${modality}.${kind}`) ?? [],
  );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count);
}

/**
 * Makes the usage of counts. Anthropic does not count tokens of its cache as input; here they are part of the input. They were
 * left out of it if they are more than all of it, or if the source is known for it.
 */
export function usageOfCounts(counts: TokenCounts): Usage | undefined {
  const { input, output, cached = 0, written = 0, reasoning, isBeside = false } = counts;
  if (input === undefined && output === undefined) return undefined;
  const kept = cached + written;
  const given = input ?? 0;
  return {
    inputTokens: isBeside || kept > given ? given + kept : given,
    outputTokens: output ?? 0,
    cachedInputTokens: cached,
    reasoningTokens: reasoning ?? 0,
    ...(written > 0 && { cacheWriteTokens: written }),
    modelCalls: 0,
  };
}

/** Reads usage that is an object in JSON, by the names that providers use. */
export function usageInJson(value: Json | undefined): Usage | undefined {
  if (!isObject(value)) return undefined;
  const given = new SpanReader(value);
  return usageOfCounts({
    input: given.count('input_tokens', 'prompt_tokens', 'prompt_token_count', 'promptTokenCount', 'input'),
    output: given.count(
      'output_tokens',
      'completion_tokens',
      'candidates_token_count',
      'candidatesTokenCount',
      'output',
    ),
    cached: given.count(
      'cache_read_input_tokens',
      'input_cached_tokens',
      'input_cache_read',
      'cached_content_token_count',
      'cachedContentTokenCount',
      'cached_tokens',
      'cache_read',
    ),
    written: given.count(
      'cache_creation_input_tokens',
      'input_cache_creation',
      'cache_write_input_tokens',
      'cache_creation',
    ),
    reasoning: given.count(
      'reasoning_tokens',
      'output_reasoning_tokens',
      'thoughts_token_count',
      'thoughtsTokenCount',
      'reasoning',
    ),
  });
}
