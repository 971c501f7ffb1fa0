import { describe, expect, test } from 'vitest';
import { err, ok } from '@/lib/base/result';
import { parseModel, resolveModelReference } from './model-string';

describe('model strings', () => {
  test.each([
    ['gpt-5-mini', { provider: undefined, model: 'gpt-5-mini' }],
    ['gpt-4.1', { provider: undefined, model: 'gpt-4.1' }],
    ['openai.gpt-4.1', { provider: 'openai', model: 'gpt-4.1' }],
    ['openai/gpt-5', { provider: 'openai', model: 'gpt-5' }],
    ['openrouter/anthropic/claude', { provider: 'openrouter', model: 'anthropic/claude' }],
    ['meta-llama/Llama-3.1', { provider: undefined, model: 'meta-llama/Llama-3.1' }],
    ['hf.moonshotai/Kimi-K2:groq', { provider: 'hf', model: 'moonshotai/Kimi-K2', suffix: 'groq' }],
    ['passthrough', { provider: 'fast-agent', model: 'passthrough' }],
    ['sonnet?reasoning=high&temp=0.5', { model: 'sonnet', params: { reasoning: 'high', temperature: 0.5 } }],
    ['gpt-5?webSearch=on&maxTokens=100', { model: 'gpt-5', params: { web_search: true, max_tokens: 100 } }],
  ])('%s', (text, spec) => {
    expect(parseModel(text)).toEqual(ok({ provider: undefined, suffix: undefined, params: {}, ...spec }));
  });

  test.each([
    '',
    'a b',
    'gpt-5.high',
    'gpt-5?speed=1',
    'gpt-5?temperature=hot',
    'gpt-5?transport=tcp',
    '?a=b',
    'openai.',
    'x?reasoning=',
  ])('refuses %j', (text) => expect(parseModel(text).ok).toBe(false));
});

describe('references', () => {
  const references = { system: { fast: '$system.small', small: 'openai.gpt-5-mini', a: '$system.b', b: '$system.a' } };

  test('are followed to a model', () => {
    expect(resolveModelReference('$system.fast', references)).toEqual(ok('openai.gpt-5-mini'));
    expect(resolveModelReference('gpt-5', references)).toEqual(ok('gpt-5'));
  });

  test('name the cycle or the missing key', () => {
    expect(resolveModelReference('$system.a', references)).toEqual(
      err('Model references go in a cycle: $system.a -> $system.b -> $system.a.'),
    );
    expect(resolveModelReference('$system.constructor', references).ok).toBe(false);
    expect(resolveModelReference('$system', references).ok).toBe(false);
  });
});
