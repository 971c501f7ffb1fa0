import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Capability } from './capability';
import { listCapabilities } from './list-capabilities';

const lead = '---\nname: lead\nmodel: generic.qwen3\n---\n';

function list(config: string, more: Readonly<Record<string, string>> = {}): readonly Capability[] {
  const folder = folderOf({ 'agent-cards/lead.md': lead, 'fast-agent.yaml': config, ...more });
  return listCapabilities(folder, readFolder(folder)).items;
}

const shown = (items: readonly Capability[]) =>
  items.map(({ kind, name, detail, file, line }) => `${kind} ${name}: ${detail} @${file}:${line}`);

test('a section without an address calls nobody whom the folder chose', () => {
  expect(list('openai:\n  reasoning: low\nanthropic:\n  default_model: sonnet\n')).toEqual([]);
});

test('an address is named with its line, without user and query', () => {
  expect(
    shown(list('logger: {}\ngeneric:\n  default_model: m\n  base_url: "https://me:pw@a.example/v1?token=hidden"\n')),
  ).toEqual(['host models of generic: https://a.example/v1 @fast-agent.yaml:4']);
});

test('a resource of Azure is an address too', () => {
  expect(shown(list('azure:\n  resource_name: mine\n'))).toEqual([
    'host models of azure: https://mine.openai.azure.com @fast-agent.yaml:2',
  ]);
});

test('variables of a section are listed, whether it names an address or not', () => {
  expect(
    shown(list(`openai:\n  api_key: \${TEAM_KEY}\ngeneric:\n  base_url: \${HOST:http://localhost:1/v1}\n`)),
  ).toEqual([
    expect.stringMatching(/^host models of generic: /),
    `variable HOST: \${HOST} @fast-agent.yaml:3`,
    `variable TEAM_KEY: \${TEAM_KEY} @fast-agent.yaml:1`,
  ]);
});

test('an address of the secrets file is listed at its place there, and its key is nowhere', () => {
  const items = list('default_model: generic.m\n', {
    'fast-agent.secrets.yaml': 'generic:\n  api_key: sk-of-the-folder\n  base_url: https://b.example/v1\n',
  });
  expect(shown(items)).toEqual(['host models of generic: https://b.example/v1 @fast-agent.secrets.yaml:3']);
  expect(JSON.stringify(items)).not.toContain('sk-of-the-folder');
});

test('another address, header or key is another item; other settings are not', () => {
  const hash = (lines: string) => list(`generic:\n  base_url: https://a.example/v1\n${lines}`)[0]?.hash;
  const plain = hash('');
  expect(hash('  default_model: other\n  reasoning: high\n')).toBe(plain);
  const others = [
    hash('  api_key: one\n'),
    hash('  api_key: two\n'),
    hash('  default_headers: { X-Team: red }\n'),
    hash('  default_headers: { X-Team: blue }\n'),
    list('generic:\n  base_url: https://a.example/v2\n')[0]?.hash,
  ];
  expect(new Set([plain, ...others]).size).toBe(6);
});
