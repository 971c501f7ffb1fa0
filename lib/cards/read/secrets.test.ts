import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from './secrets';

const config = `mcp:
  servers:
    web:
      url: https://example.com/mcp
      headers: { X-Team: blue }
    tool:
      command: node
      env: { LEVEL: high }
`;

function merged(files: Record<string, string>) {
  const folder = folderOf(files);
  return withSecrets(readFolder(folder), folder);
}

test('the secrets file is merged into the config, and its values are known', () => {
  const secretsFile = `mcp:
  servers:
    web: { headers: { Authorization: Bearer hush-hush-hush } }
    tool: { env: { API_KEY: whisper-it } }
openai: { api_key: sk-quiet }
`;
  const { config: both, secrets } = merged({ 'fast-agent.yaml': config, 'fast-agent.secrets.yaml': secretsFile });
  expect(both.servers.web).toMatchObject({
    url: 'https://example.com/mcp',
    headers: { 'X-Team': 'blue', Authorization: 'Bearer hush-hush-hush' },
  });
  expect(both.servers.tool).toMatchObject({ command: 'node', env: { LEVEL: 'high', API_KEY: 'whisper-it' } });
  expect(secrets).toEqual(['hush-hush-hush', 'whisper-it', 'sk-quiet']);
});

test('what is read of the folder has none of it', () => {
  const folder = folderOf({
    'fast-agent.yaml': config,
    'fastagent.secrets.yaml': 'mcp: {servers: {web: {access_token: hush-hush-hush}}}',
  });
  const parsed = readFolder(folder);
  expect(JSON.stringify(parsed.config)).not.toContain('hush');
  expect(withSecrets(parsed, folder).config.servers.web?.accessToken).toBe('hush-hush-hush');
});

test('a secrets file that cannot be read has a fault, and nothing of it is used', () => {
  const files = { 'fast-agent.yaml': config, 'fast-agent.secrets.yaml': 'mcp: [' };
  expect(merged(files).config.servers.web?.url).toBe('https://example.com/mcp');
  expect(readFolder(folderOf(files)).issues).toContainEqual(
    expect.objectContaining({ code: 'yaml-syntax', severity: 'error', file: 'fast-agent.secrets.yaml' }),
  );
});

test('one elsewhere in the folder is not read', () => {
  const { secrets } = merged({ 'fast-agent.yaml': config, 'old/fast-agent.secrets.yaml': 'a: {api_key: hush-hush}' });
  expect(secrets).toEqual([]);
});
