import { expect, test } from 'vitest';
import { endpointOf } from './endpoint';
import { keyedProviders, keyToSet, noKeyFor, providerOfKey } from './missing-key';
import { allProviders } from './providers';

const none = { variables: {}, projectEnv: {}, hasValues: true };

test('each provider that needs a key says it in one sentence, in which the key is found again', () => {
  for (const { title, variable, address } of keyedProviders()) {
    const provider = allProviders().find((each) => each.title === title);
    if (provider === undefined || address === undefined) continue;
    const found = endpointOf(`${provider.name}.${provider.firstModel ?? 'model'}`, {}, none);
    const sentence = found.ok ? 'served' : found.error;
    expect(sentence).toBe(
      `Model '${provider.name}.${provider.firstModel ?? 'model'}' is not served: ${noKeyFor(provider)}`,
    );
    expect(sentence).not.toMatch(/\.yaml|\.env\b/);
    expect(keyToSet(sentence)).toBe(variable);
    expect(keyToSet(`Agent 'lead' failed: ${sentence} It was asked by 'main'.`)).toBe(variable);
  }
});

test('a text that asks for no key, or for one that is no key of a provider, leads nowhere', () => {
  expect(keyToSet('Set DATABASE_URL in Settings, Models and keys; it is odd.')).toBeUndefined();
  expect(keyToSet("Set the model's name.")).toBeUndefined();
  expect(keyToSet('')).toBeUndefined();
});

test('providers with several names stand once, and those that need no key or cannot be called are left out', () => {
  const titles = keyedProviders().map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.slice(0, 3)).toEqual(['OpenAI', 'Anthropic', 'Google']);
  expect(titles).not.toContain('Ollama');
  expect(titles).not.toContain('Bedrock');
  expect(providerOfKey('GEMINI_API_KEY')).toBe('Google');
});
