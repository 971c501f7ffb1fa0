import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from './project';
import { removeNodes } from './removal';

const cards = {
  'lead.md': '---\nname: lead\ndefault: true\nagents: [kid, pal]\n---\nLead.\n',
  'kid.md': '---\nname: kid\n---\nHelp.\n',
  'pal.md': '---\nname: pal\n---\nHelp.\n',
};

/** Returns callboard.yaml without the agents. */
function settingsWithout(names: readonly string[], settings: string): string | null | undefined {
  const folder = folderOf({ ...cards, 'callboard.yaml': settings });
  const parsed = readFolder(folder);
  const removed = removeNodes(
    folder,
    parsed,
    projectGraph(parsed),
    names.map((name) => `agent:${name}`),
  );
  if (!removed.ok) throw new Error(removed.error.message);
  return removed.value.get('callboard.yaml');
}

const rules = (...lines: string[]) => `version: 1\napprovals:\n  default: ask\n  rules:\n${lines.join('')}`;
const rule = (tools: string, agents?: string) =>
  `    - { tools: [${tools}]${agents === undefined ? '' : `, agents: [${agents}]`}, effect: allow }\n`;

test.each<[string, string[], string, string]>([
  [
    'leaves the rules that name others too',
    ['kid'],
    rules(rule('shell', 'kid, lead'), rule('agent__kid, agent__pal')),
    rules(rule('shell', 'lead'), rule('agent__pal')),
  ],
  [
    'takes rules along that name nobody else, and rules about its tool alone',
    ['kid'],
    rules(rule('shell', 'kid'), rule('now', 'lead'), rule('agent__kid'), rule('agent__kid', 'lead')),
    rules(rule('now', 'lead')),
  ],
  [
    'takes rules along that name only agents that are deleted together',
    ['kid', 'pal'],
    rules(rule('now', 'lead, kid'), rule('shell', 'pal, kid'), rule('agent__kid, agent__pal')),
    rules(rule('now', 'lead')),
  ],
  [
    'leaves patterns and rules without agents as they are',
    ['kid'],
    rules(rule('agent__*'), rule('*', 'lead')),
    rules(rule('agent__*'), rule('*', 'lead')),
  ],
])('a deleted agent %s', (_, names, before, after) => {
  expect(settingsWithout(names, before) ?? before).toBe(after);
});

test('a rule that was empty before stays', () => {
  const settings = rules(rule('shell', ''), rule('shell', 'kid'));
  expect(settingsWithout(['kid'], settings)).toBe(rules(rule('shell', '')));
});

test('the last rule takes its key along', () => {
  expect(settingsWithout(['kid'], `version: 1\napprovals:\n  rules:\n${rule('shell', 'kid')}`)).toBe('version: 1\n');
});

test('without a prefix, a tool in a rule may be another one, so it stays', () => {
  const settings = `tool_naming: plain\n${rules(rule('kid'), rule('kid', 'kid'))}`;
  expect(settingsWithout(['kid'], settings)).toBe(`tool_naming: plain\n${rules(rule('kid'))}`);
});
