import { expect, test } from 'vitest';
import { providerRows } from './provider-rows';

const brief = (variables: Record<string, string>) =>
  providerRows(variables).map(({ label, value, isSet, variable, hint }) => [label, value, isSet, variable, hint]);
const never = 'The key is never shown, logged or exported.';

test('each provider with a key or an address has a row, and no key is in it', () => {
  const variables = {
    OPENAI_BASE_URL: 'http://me:hunter2@127.0.0.1:9000/v1?key=hunter2',
    ANTHROPIC_API_KEY: 'sk-hunter2',
    GEMINI_API_KEY: 'hunter2',
    GOOGLE_BASE_URL: 'https://gateway.example/google',
    OLLAMA_BASE_URL: 'http://10.0.0.5:11434/v1',
  };
  expect(brief(variables).slice(0, -1)).toEqual([
    ['OpenAI', 'No key', true, 'OPENAI_API_KEY, OPENAI_BASE_URL', `Asked at http://127.0.0.1:9000/v1. ${never}`],
    ['Ollama', 'No key', true, 'OLLAMA_API_KEY, OLLAMA_BASE_URL', `Asked at http://10.0.0.5:11434/v1. ${never}`],
    ['Anthropic', 'Key set', true, 'ANTHROPIC_API_KEY', `Asked at https://api.anthropic.com/v1. ${never}`],
    ['Google', 'Key set', true, 'GEMINI_API_KEY, GOOGLE_BASE_URL', `Asked at https://gateway.example/google. ${never}`],
  ]);
  expect(JSON.stringify(brief(variables))).not.toContain('hunter2');
});

test('with nothing set, OpenAI shows what is missing', () => {
  expect(brief({}).map(([label, value, isSet]) => [label, value, isSet])).toEqual([
    ['OpenAI', 'Key not set', false],
    ['Other providers', 'Not set', false],
  ]);
});
