import { afterEach, describe, expect, test } from 'vitest';
import { noUsage, type Usage } from '@/lib/runtime/record/messages';
import { costOf, costOfModels, nameWithPrice, priceOfModel } from './cost';
import { ownPrices, type Price, setOwnPrices } from './own-prices';

afterEach(() => setOwnPrices([]));

const million = 1_000_000;
const usage = (changes: Partial<Usage>): Usage => ({ ...noUsage, modelCalls: 1, ...changes });
const price: Price = { input: 10, cached_input: 1, cache_write: 20, output: 100 };
const set = (...patterns: readonly string[]) => setOwnPrices(patterns.map((pattern) => ({ pattern, price })));

describe('the price of an operator', () => {
  test.each([
    ['generic.qwen3', 'generic.qwen3'],
    ['generic.qwen3', 'generic/qwen3?temperature=0'],
    ['generic/qwen3', 'generic.qwen3'],
    ['qwen3', 'generic.qwen3'],
    ['qwen3', 'openai_compatible/qwen3'],
    ['Qwen3', 'generic.qwen3'],
    ['generic.*', 'generic.qwen3'],
    ['qwen*:free', 'openrouter.qwen/qwen3:free'],
    ['qwen/*', 'openrouter.qwen/qwen3'],
    ['gpt-4.1', 'openai.gpt-4.1'],
    ['openai.gpt-4.1', 'gpt-4.1'],
    ['claude-opus-5', 'anthropic.claude-opus-5-20261010'],
    ['*', 'anything.at-all'],
  ])('%s is that of %s', (pattern, model) => {
    set('other', pattern);
    expect(priceOfModel(model)).toEqual(price);
  });

  test.each([
    ['generic.qwen3', 'ollama.qwen3'],
    ['qwen3', 'generic.qwen3-coder'],
    ['qwen.*', 'generic.qwen3'],
    ['openai.gpt-4x1', 'gpt-4.1-other'],
    ['', 'generic.qwen3'],
  ])('%s is not that of %s', (pattern, model) => {
    set(pattern);
    expect(priceOfModel(model)).toBeUndefined();
  });

  test('replaces the one that is known, and the first that fits counts', () => {
    expect(costOf(usage({ inputTokens: million }), 'openai.gpt-4o')).toBeCloseTo(2.5);
    setOwnPrices([
      { pattern: 'gpt-4o', price: { input: 7, output: 8 } },
      { pattern: 'gpt-*', price: { input: 1, output: 1 } },
    ]);
    expect(costOf(usage({ inputTokens: million }), 'openai.gpt-4o')).toBeCloseTo(7);
    expect(costOf(usage({ inputTokens: million }), 'gpt-4o')).toBeCloseTo(7);
    expect(costOf(usage({ inputTokens: million }), 'openai.gpt-4o-mini')).toBeCloseTo(1);
    setOwnPrices([]);
    expect([costOf(usage({ inputTokens: million }), 'openai.gpt-4o'), ownPrices()]).toEqual([2.5, []]);
  });

  test('counts cached tokens, tokens that are written to the cache, and thinking', () => {
    set('house');
    const used = usage({
      inputTokens: 10 * million,
      cachedInputTokens: 4 * million,
      cacheWriteTokens: million,
      outputTokens: million,
      reasoningTokens: 900_000,
    });
    expect(costOf(used, 'generic.house')).toBeCloseTo(5 * 10 + 4 * 1 + 1 * 20 + 100);
    expect(costOfModels({ 'generic.house': used, 'generic.other': used })).toMatchObject({
      unpriced: ['generic.other'],
    });
  });

  test('charges tokens of the cache as others where it has no price for them, also for Anthropic', () => {
    setOwnPrices([{ pattern: 'claude-opus-5', price: { input: 10, output: 100 } }]);
    const used = usage({ inputTokens: 2 * million, cachedInputTokens: million, cacheWriteTokens: million });
    expect(costOf(used, 'anthropic.claude-opus-5')).toBeCloseTo(20);
  });

  test('of 0 is a price, and test models stay free', () => {
    setOwnPrices([{ pattern: '*', price: { input: 0, output: 0 } }]);
    expect(costOf(usage({ inputTokens: million }), 'generic.house')).toBe(0);
    set('*');
    expect(costOf(usage({ inputTokens: million }), 'passthrough')).toBe(0);
  });

  test('of what a short name stands for is found', () => {
    set('claude-sonnet-5-5');
    expect(nameWithPrice('sonnet', { sonnet: 'anthropic/claude-sonnet-5-5' })).toBe('anthropic/claude-sonnet-5-5');
    set('openai.gpt-4o');
    expect(nameWithPrice('fast', { fast: 'openai/gpt-4o' })).toBe('openai/gpt-4o');
    set('other');
    expect(nameWithPrice('gpt-4o', { 'gpt-4o': 'openai/gpt-4o' })).toBe('gpt-4o');
  });
});
