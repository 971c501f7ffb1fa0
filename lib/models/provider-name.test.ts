import { expect, test } from 'vitest';
import { fakeClock } from '@/lib/testing/fake-clock';
import { modelsWith } from '@/lib/testing/models-with';

const describe = (model: string, baseUrl?: string) =>
  modelsWith({ OPENAI_BASE_URL: baseUrl }, fakeClock()).describe?.(model);

test.each([
  ['gpt-5', undefined, 'openai', 'gpt-5'],
  ['openai.gpt-4o?temperature=0', undefined, 'openai', 'gpt-4o'],
  ['claude-opus-5', 'https://api.anthropic.com/v1', 'anthropic', 'claude-opus-5'],
  ['gpt-4o', 'https://mine.openai.azure.com/openai/v1', 'azure.ai.openai', 'gpt-4o'],
  ['xai/grok-4.6', 'https://api.x.ai/v1', 'x_ai', 'grok-4.6'],
  ['google.gemini-3.5-flash', 'http://localhost:4000/v1', 'gcp.gemini', 'gemini-3.5-flash'],
  ['anthropic/claude-opus-5', 'http://localhost:4000/v1', 'anthropic', 'claude-opus-5'],
  ['llama3:8b', 'http://localhost:11434/v1', 'openai_compatible', 'llama3:8b'],
  ['gpt-5', 'https://api.openai.com.evil.example/v1', 'openai_compatible', 'gpt-5'],
  ['gpt-5', 'no address', 'openai_compatible', 'gpt-5'],
  ['script', undefined, 'callboard', 'script'],
  ['passthrough', 'http://localhost:11434/v1', 'callboard', 'passthrough'],
  ['fast-agent.playback', undefined, 'callboard', 'playback'],
])('%s at %s is asked of %s as %s', (model, baseUrl, provider, name) => {
  expect(describe(model, baseUrl)).toEqual({ provider, name });
});
