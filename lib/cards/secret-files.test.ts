import { expect, it } from 'vitest';
import { folderOf } from './files';
import { readFolder } from './project/read-folder';
import { isSecretFile, withoutSecretFiles } from './secret-files';

const secret = `.env .env.local .env.production prod.env .envrc certs/server.pem server.KEY store.p12 id_rsa id_ed25519
  .npmrc .netrc .pypirc .git-credentials fast-agent.secrets.yaml fastagent.secrets.yaml secrets.yaml secrets.json
  secret.toml app-secrets.yml credentials .aws/credentials credentials.json`;

const open = `.env.example .env.sample environment.md keys.md id_rsa.pub env.ts monkey turnkey.txt secrets.md
  agent-cards/secrets.md secret_santa.yaml notes/env keyboard.keys`;

it.each(secret.split(/\s+/))('%s holds secrets', (path) => {
  expect(isSecretFile(path)).toBe(true);
  expect(isSecretFile(`deep/er/${path}`)).toBe(true);
});

it.each(open.split(/\s+/))('%s does not', (path) => {
  expect(isSecretFile(path)).toBe(false);
});

it('the folder that agents see has none of them; the one given is as it was', () => {
  const folder = folderOf({ '.env': 'K=v', 'a.md': 'x', 'c/server.pem': 'y' });
  expect([...withoutSecretFiles(folder).keys()]).toEqual(['a.md']);
  expect(folder.size).toBe(3);
});

it('each is worth a warning, for everyone who sees the project sees it', () => {
  const { issues } = readFolder(folderOf({ 'agent-cards/a.md': '---\nname: a\n---\n', '.env': 'K=v', 'c/x.pem': '-' }));
  expect(issues.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'secrets-in-folder .env',
    'secrets-in-folder c/x.pem',
  ]);
});
