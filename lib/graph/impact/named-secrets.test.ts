import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { withSecrets } from '@/lib/cards/read/secrets';
import { namedSecrets } from './named-secrets';

function namedBy(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const named = namedSecrets(folder, parsed, withSecrets(parsed, folder).config);
  return Object.fromEntries(named.map(({ name, by }) => [name, by.map((each) => `${each.kind} ${each.name}`)]));
}

/** A variable as files name it. */
const use = (variable: string) => `\${${variable}}`;
const card = (name: string, fields: string, text = 'Text.') => `---\nname: ${name}\n${fields}\n---\n${text}\n`;
const lead = card('lead', 'model: openai.gpt-4o\nservers: [git]', `Say ${use('GREETING')}.`);
const config =
  `mcp:\n  servers:\n    git: { url: "https://git.example.org/mcp", headers: { A: "Bearer ${use('GIT_TOKEN')}" } }\n` +
  `    mail: { command: node, args: ["${use('GIT_TOKEN')}"], env: { KEY: "${use('MAIL_KEY:none')}" } }\n`;

test('servers, remote agents and provider sections name secrets, and texts of cards do not', () => {
  const files = {
    'lead.md': lead,
    'far.md': card('far', `type: a2a\nurl: https://far.example.org\nheaders: { Authorization: "${use('FAR_TOKEN')}" }`),
    'fast-agent.yaml': `${config}groq:\n  base_url: "https://${use('GROQ_HOST')}/v1"\n`,
    'fast-agent.secrets.yaml': `mcp:\n  servers:\n    git: { headers: { B: "${use('SECOND_TOKEN')}" } }\n`,
  };
  expect(namedBy(files)).toEqual({
    FAR_TOKEN: ['agent far'],
    GIT_TOKEN: ['server git', 'server mail'],
    GROQ_HOST: ['provider groq'],
    MAIL_KEY: ['server mail'],
    OPENAI_API_KEY: ['provider openai'],
    SECOND_TOKEN: ['server git'],
  });
});

test('the key of a provider is not named where the folder has an address or a key of its own', () => {
  expect(namedBy({ 'lead.md': lead })).toEqual({ OPENAI_API_KEY: ['provider openai'] });
  const own = { 'lead.md': lead, 'fast-agent.yaml': `openai:\n  api_key: "${use('TEAM_KEY')}"\n` };
  expect(namedBy(own)).toEqual({ TEAM_KEY: ['provider openai'] });
  const elsewhere = { 'lead.md': lead, 'fast-agent.yaml': 'openai:\n  base_url: "http://127.0.0.1:9/v1"\n' };
  expect(namedBy(elsewhere)).toEqual({});
});
