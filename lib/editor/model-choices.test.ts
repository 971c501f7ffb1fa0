import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { endpointOf } from '@/lib/cards/models/endpoint';
import { nameModel } from '@/lib/cards/models/name-model';
import { readFolder } from '@/lib/cards/project/read-folder';
import { describeModel, modelChoices } from './model-choices';

const parsed = readFolder(
  folderOf({
    'agent-cards/lead.md': '---\nname: lead\nmodel: openrouter.some/model\ndefault: true\n---\nLead.\n',
    'fast-agent.yaml': 'default_model: $team.fast\nmodel_references: {team: {fast: openai.gpt-4.1}}\n',
  }),
);
const env = (variables: Record<string, string>) => ({ variables, projectEnv: {}, hasValues: false });

test('models of a provider with a key come with price, context size and abilities, the inexpensive one first', () => {
  const choices = modelChoices(parsed, {}, env({ OPENAI_API_KEY: 'set' }));
  const openai = choices.filter(({ group }) => group === 'OpenAI');
  expect(openai[0]).toEqual({
    value: 'openai.gpt-5-mini',
    label: 'openai.gpt-5-mini',
    group: 'OpenAI',
    note: '$0.25 / $2 · 272k · tools, vision, reasoning, JSON',
    words: '',
  });
  expect(openai.map(({ value }) => value)).not.toContain('openai.gpt-4o-2024-11-20');
  expect(openai.at(-1)).toMatchObject({ label: 'openai.NAME', disabled: true });
});

test('the references and the models of the project come first, and nothing is listed twice', () => {
  const choices = modelChoices(parsed, {}, env({ OPENAI_API_KEY: 'set' }));
  expect(choices.slice(0, 2)).toMatchObject([
    { value: '$team.fast', note: 'stands for openai.gpt-4.1', group: 'In this project' },
    { value: 'openrouter.some/model', group: 'In this project' },
  ]);
  expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
});

test('a provider without a key is one row that sets it, and its models find that row', () => {
  const choices = modelChoices(parsed, {}, env({}));
  const anthropic = choices.find(({ label }) => label === 'Anthropic');
  expect(anthropic).toMatchObject({
    group: 'Providers without a key',
    note: 'Set key… ANTHROPIC_API_KEY',
    key: 'ANTHROPIC_API_KEY',
    disabled: true,
  });
  expect(anthropic?.words).toMatch(/claude-opus-5 .*sonnet/);
  const azure = choices.find(({ label }) => label === 'Azure');
  expect([azure?.note, azure?.key]).toEqual(['Needs an address of your own', undefined]);
  expect(choices.filter(({ group }) => group === 'OpenAI')).toEqual([]);
  expect(choices.map(({ label }) => label)).toContain('ollama.NAME');
});

test('a key of the folder counts, and the key itself is in no row', () => {
  const own = { apiKey: 'sk-folder', baseUrl: undefined, headers: {}, defaultModel: undefined };
  const sections = {
    anthropic: { ...own, reasoning: undefined, wire: undefined, cacheMode: undefined, azure: undefined },
  };
  const choices = modelChoices(parsed, sections, env({}));
  expect(choices.map(({ value }) => value)).toContain('anthropic.claude-haiku-4-5');
  expect(choices.find(({ value }) => value === 'haiku')).toMatchObject({ note: 'anthropic.claude-haiku-4-5' });
  expect(JSON.stringify(choices)).not.toContain('sk-folder');
});

test('each model that can be picked is served', () => {
  const variables = Object.fromEntries(
    ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'HF_TOKEN', 'GROQ_API_KEY'].map((name) => [name, 'set']),
  );
  for (const { value, disabled, group } of modelChoices(parsed, {}, env(variables))) {
    if (disabled || group === 'In this project') continue;
    expect(endpointOf(value, {}, env(variables)).ok, value).toBe(true);
    expect(nameModel(value).ok, value).toBe(true);
  }
});

test('what is not known of a model is not said', () => {
  expect(describeModel('ollama.qwen3')).toEqual({ price: undefined, context: undefined, abilities: ['JSON schema'] });
  expect(describeModel('sonnet')).toEqual({
    price: '$2 in, $10 out per million tokens',
    context: '1M tokens',
    abilities: ['tools', 'vision', 'reasoning'],
  });
  expect(describeModel('two words')).toEqual({ price: undefined, context: undefined, abilities: [] });
});
