import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { usedParts } from './used-parts';

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex').slice(0, 8);

function partsOf(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  return usedParts(folder, parsed, withSecrets(parsed, folder).config, hash);
}

const card = (name: string, fields = '') => `---\nname: ${name}\nmodel: passthrough\n${fields}---\nText.\n`;
const files = {
  'lead.md': card('lead', 'default: true\nagents: [writer]\ntool_hooks: [hooks.ts:audit]\n'),
  'writer.md': card('writer', 'servers: [mail]\nfunction_tools: [tools.ts:count]\nskills: [skills/letters]\n'),
  'alone.md': card('alone', 'tool_hooks: [hooks.ts:audit]\n'),
  'hooks.ts': 'export function audit(ctx, args, next) {\n  return next(args);\n}\n',
  'tools.ts': 'export function count() {\n  return 1;\n}\n',
  'skills/letters/SKILL.md': '---\nname: letters\ndescription: How to write\n---\nWrite.\n',
  'fast-agent.yaml': 'mcp:\n  servers:\n    mail: { url: "https://mail.example.org/mcp" }\n',
  'tests/noon.fixture.yaml': 'version: 1\nmessage: Noon?\nexpect: {}\n',
  'tests/solo.fixture.yaml': 'version: 1\nagent: alone\nmessage: Solo?\nexpect: {}\n',
};
const short = (parts: ReturnType<typeof partsOf>) =>
  Object.fromEntries(parts.map(({ kind, name, agents, tests }) => [`${kind} ${name}`, { agents, tests }]));

test('each part names the agents that use it and the tests that reach these', () => {
  expect(short(partsOf(files))).toEqual({
    'agent lead': { agents: [], tests: ['noon'] },
    'agent writer': { agents: ['lead'], tests: ['noon'] },
    'agent alone': { agents: [], tests: ['solo'] },
    'hook hooks.ts:audit': { agents: ['alone', 'lead'], tests: ['noon', 'solo'] },
    'tool tools.ts:count': { agents: ['writer'], tests: ['noon'] },
    'server mail': { agents: ['writer'], tests: ['noon'] },
    'skill letters': { agents: ['writer'], tests: ['noon'] },
  });
});

test('a hook of the run is used by every agent, and hooks without code are named by what they do', () => {
  const settings =
    'version: 1\nrun_hooks:\n  - hooks.ts:audit\nagent_hooks:\n  writer:\n    - redact: { keys: [password] }\n';
  const parts = short(partsOf({ ...files, 'alone.md': card('alone'), 'callboard.yaml': settings }));
  expect(parts['hook hooks.ts:audit']).toEqual({ agents: ['*', 'lead'], tests: ['noon', 'solo'] });
  expect(parts['hook redact']).toEqual({ agents: ['writer'], tests: ['noon'] });
});

test('equal content has an equal hash, whatever it is called', () => {
  const hashOf = (all: Readonly<Record<string, string>>, kind: string) =>
    partsOf(all).find((part) => part.kind === kind)?.hash;
  const renamed = {
    ...files,
    'writer.md': files['writer.md'].replace('[mail]', '[post]'),
    'fast-agent.yaml': files['fast-agent.yaml'].replace('mail:', 'post:'),
  };
  expect(hashOf(renamed, 'server')).toBe(hashOf(files, 'server'));
  const other = { ...files, 'hooks.ts': files['hooks.ts'].replace('args);', '{});') };
  expect(hashOf(other, 'hook')).not.toBe(hashOf(files, 'hook'));
});

test('a server that a card connects to by itself is one like those of the config', () => {
  const connects = card('writer', 'mcp_connect:\n  - name: post\n    target: https://mail.example.org/mcp\n');
  const parts = partsOf({ ...files, 'writer.md': connects });
  expect(short(parts)['server post']).toEqual({ agents: ['writer'], tests: ['noon'] });
  const hashOf = (all: ReturnType<typeof partsOf>) => all.find(({ kind }) => kind === 'server')?.hash;
  expect(hashOf(parts)).toBe(hashOf(partsOf(files)));
  expect(hashOf(parts)).not.toBe('');
});
