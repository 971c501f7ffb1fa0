import { expect, test } from 'vitest';
import { endpointOf } from './endpoint';
import { firstModel } from './first-model';
import { allProviders, keyVariables } from './providers';

test('a blank project begins with a model of the first provider that has a key', () => {
  expect(firstModel({})).toBeUndefined();
  expect(firstModel({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).toBeUndefined();
  expect(firstModel({ GEMINI_API_KEY: 'set' })).toEqual({ model: 'google.gemini-3.5-flash', provider: 'Google' });
  expect(firstModel({ ANTHROPIC_API_KEY: 'set', HF_TOKEN: 'set' })).toEqual({
    model: 'anthropic.claude-haiku-4-5',
    provider: 'Anthropic',
  });
  const all = Object.fromEntries(keyVariables.map((name) => [name, 'set']));
  expect(firstModel(all)?.model).toBe('openai.gpt-5-mini');
});

test('each of these models is asked at its own provider', () => {
  for (const provider of allProviders()) {
    const [key] = provider.keys;
    if (provider.firstModel === undefined || key === undefined) continue;
    const first = firstModel({ [key]: 'set' });
    const env = { variables: { [key]: 'set' }, projectEnv: {}, hasValues: true };
    const endpoint = endpointOf(first?.model ?? '', {}, env);
    expect(endpoint.ok && endpoint.value?.provider, provider.name).toBe(provider.name);
    expect(endpoint.ok && endpoint.value?.model.name).toBe(provider.firstModel);
  }
});
