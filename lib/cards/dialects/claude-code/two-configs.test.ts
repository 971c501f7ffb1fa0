import { expect, test } from 'vitest';
import { setDefaultModel } from '@/lib/cards/edit/default-model';
import { setOwnAddress } from '@/lib/cards/edit/own-address';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { lineFinder } from '@/lib/cards/read/line-finder';
import { findSecrets, withSecrets } from '@/lib/cards/read/secrets';
import { listModels } from '@/lib/cards/trust/list-models';
import { launchReader } from '@/lib/cards/trust/loaded-files';

/** `.mcp.json` holds the servers of a folder of Claude Code, and fast-agent.yaml the models and providers. */

const files = {
  '.claude/agents/a.md': '---\nname: a\ndescription: Does it.\n---\nDo it.\n',
  '.mcp.json': '{"mcpServers": {"wiki": {"command": "npx", "args": ["wiki-mcp"]}}}',
  'fast-agent.yaml': '# ours\nmodel_references:\n  team:\n    best: sonnet\ndefault_model: $team.best\n',
};

test('a secrets file completes both configs', () => {
  const folder = folderOf({ ...files, 'fast-agent.secrets.yaml': 'anthropic:\n  api_key: sk-of-the-test\n' });
  const { config } = withSecrets(readFolder(folder), folder);
  expect(Object.keys(config.servers)).toEqual(['wiki']);
  expect(config.servers.wiki).toEqual(readFolder(folder).config.servers.wiki);
  expect(config.providers.anthropic?.apiKey).toBe('sk-of-the-test');
  expect(config).toMatchObject({ file: '.mcp.json', beside: { file: 'fast-agent.yaml' }, defaultModel: '$team.best' });
});

test('secrets in .fast-agent are found beside .mcp.json', () => {
  const { 'fast-agent.yaml': _, ...rest } = files;
  const secrets = '.fast-agent/fast-agent.secrets.yaml';
  expect(findSecrets(readFolder(folderOf({ ...rest, [secrets]: 'openai:\n  api_key: sk\n' })))).toBe(secrets);
});

test('the default model has its place in fast-agent.yaml, and a change of it does not change what a command may load', () => {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const models = listModels(parsed, parsed.config, lineFinder(folder));
  expect(models).toMatchObject([{ usedBy: 'default_model', file: 'fast-agent.yaml', line: 5 }]);
  expect(launchReader(folder, parsed).runnable).toEqual([]);
});

test('a default model and an address are written to fast-agent.yaml', () => {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const model = setDefaultModel(folder, parsed, 'haiku');
  expect(model.ok && [...model.value.keys()]).toEqual(['fast-agent.yaml']);
  const written = { section: 'generic', address: 'http://localhost:1/v1', secret: undefined, model: undefined };
  const address = setOwnAddress(folder, parsed, written);
  expect(address.ok && [...address.value.keys()]).toEqual(['fast-agent.yaml']);
});

test('servers of fast-agent.yaml do not run here, and are told', () => {
  const config = `${files['fast-agent.yaml']}mcp:\n  servers:\n    time:\n      command: time-mcp\n`;
  const parsed = readFolder(folderOf({ ...files, 'fast-agent.yaml': config }));
  expect(Object.keys(parsed.config.servers)).toEqual(['wiki']);
  expect(parsed.issues).toMatchObject([{ code: 'dialect-cannot-run', file: 'fast-agent.yaml', line: 6 }]);
});
