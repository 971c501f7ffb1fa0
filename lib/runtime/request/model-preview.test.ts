import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { delegatedModels, previewModel } from './model-preview';

const files = {
  'lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\nmodel: haiku\n---\nLead.\n',
  'kid.md': '---\nname: kid\n---\nWork.\n',
};

function preview(agent: string, more: Readonly<Record<string, string>> = {}, models: Record<string, string> = {}) {
  const folder = folderOf({ ...files, ...more });
  const parsed = readFolder(folder);
  const card = parsed.cards.find(({ name }) => name === agent);
  if (card === undefined) throw new Error(`No agent ${agent}`);
  return {
    model: previewModel(parsed, folder, card, { variables: models, projectEnv: {}, hasValues: false }),
    delegated: delegatedModels(parsed, card),
  };
}

it('says provider, name behind the alias, address and that a key is there, never the key', () => {
  const { model } = preview('lead', {}, { ANTHROPIC_API_KEY: 'sk-secret' });
  expect(model).toEqual({
    is: 'served',
    provider: 'Anthropic',
    model: expect.stringMatching(/^claude-haiku/),
    canonical: expect.stringMatching(/^anthropic\.claude-haiku/),
    alias: 'haiku',
    from: 'card',
    address: 'https://api.anthropic.com/v1',
    wire: 'messages',
    key: 'set',
  });
  expect(JSON.stringify(model)).not.toContain('sk-secret');
});

it('says the next step for a model that no provider serves', () => {
  expect(preview('lead').model).toEqual({
    is: 'unserved',
    message:
      "Model 'haiku' is not served: there is no key for Anthropic. Set ANTHROPIC_API_KEY in Settings, Models and keys; a command line takes it from its environment.",
  });
});

it('a key of the secrets file counts and stays hidden, as do user and query of an address', () => {
  const more = {
    'fast-agent.yaml':
      'default_model: generic.qwen3\ngeneric:\n  base_url: "https://me:pass@models.example/v1?token=hidden"\n',
    'fast-agent.secrets.yaml': 'generic:\n  api_key: sk-folder\n',
  };
  const { model } = preview('kid', more);
  expect(model).toEqual({
    is: 'served',
    provider: 'Generic',
    model: 'qwen3',
    canonical: 'generic.qwen3',
    alias: undefined,
    from: 'default_model',
    address: 'https://models.example/v1',
    wire: 'chat',
    key: 'set',
  });
});

it('a key of the operator does not count for an address that the folder names', () => {
  const more = {
    'fast-agent.yaml': 'default_model: openai.gpt-5\nopenai:\n  base_url: https://models.example/v1\n',
  };
  expect(preview('kid', more, { OPENAI_API_KEY: 'set' }).model).toMatchObject({ is: 'served', key: 'not set' });
});

it('a server of this machine needs no key', () => {
  const local = { 'fast-agent.yaml': 'default_model: ollama.qwen3\n' };
  expect(preview('kid', local).model).toMatchObject({ provider: 'Ollama', model: 'qwen3', key: 'unneeded' });
});

it('a child without a model runs on its caller’s, unless the delegation or default_model names one', () => {
  expect(preview('kid').model).toEqual({ is: 'inherited', callers: ['lead'] });
  const edge = { 'callboard.yaml': 'version: 1\ndelegations:\n  lead:\n    kid:\n      model: passthrough\n' };
  expect(preview('kid', edge).delegated).toEqual([{ caller: 'lead', model: 'passthrough' }]);
});

it('test models, scripts and agents without any model are told apart', () => {
  const lead = (model: string) => ({ 'lead.md': `---\nname: lead\n${model}---\nLead.\n` });
  expect(preview('lead', lead('model: passthrough\n')).model).toEqual({ is: 'internal', model: 'passthrough' });
  expect(preview('lead', lead('')).model).toMatchObject({
    is: 'missing',
    message: expect.stringContaining("Set 'model' in lead.md"),
  });
  const script = { 'callboard.yaml': 'version: 1\nscripts:\n  lead:\n    - turns:\n        - text: Hello\n' };
  expect(preview('lead', script).model).toEqual({ is: 'script' });
});

it('a missing model is not asked for in a file that cannot hold one', () => {
  const folder = folderOf({
    'CLAUDE.md': 'Be brief.\n',
    '.claude/agents/kid.md': '---\nname: kid\ndescription: Works.\n---\nWork.\n',
  });
  const parsed = readFolder(folder);
  const main = parsed.cards.find(({ name }) => name === 'main');
  expect(main && previewModel(parsed, folder, main, { variables: {}, projectEnv: {}, hasValues: false })).toMatchObject(
    {
      is: 'missing',
      message: "Agent 'main' names no model. Set 'default_model' in fast-agent.yaml, or choose a model for the run.",
    },
  );
});
