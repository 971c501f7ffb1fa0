import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { childToolName } from '@/lib/cards/tool-name';
import { projectGraph } from './project';
import { removeNodes } from './removal';

const cards = {
  'lead.md': '---\nname: lead\ndefault: true\nagents: [kid, pal]\n---\nLead.\n',
  'kid.md': '---\nname: kid\n---\nHelp.\n',
  'pal.md': '---\nname: pal\n---\nHelp.\n',
  'cafe.md': '---\nname: café\n---\nHelp.\n',
  'aide.md': '---\nname: Aide\n---\nHelp.\n',
};
const cafe = childToolName('café', 'agent__');

function removeFrom(files: Readonly<Record<string, string>>, names: readonly string[]) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const graph = projectGraph(parsed);
  return removeNodes(
    folder,
    parsed,
    graph,
    names.map((name) => `agent:${name}`),
  );
}

/** Returns callboard.yaml without the agents. */
function settingsWithout(names: readonly string[], settings: string): string | null | undefined {
  const removed = removeFrom({ ...cards, 'callboard.yaml': settings }, names);
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
  [
    'takes a rule about its tool along whose name has other letters than the agent',
    ['café'],
    rules(rule(cafe), rule('now'), rule(`${cafe}, agent__pal`)),
    rules(rule('now'), rule('agent__pal')),
  ],
  [
    'takes a rule about its tool along with the names of call_',
    ['Aide'],
    `tool_naming: call_\n${rules(rule('call_aide'), rule('call_pal'))}`,
    `tool_naming: call_\n${rules(rule('call_pal'))}`,
  ],
  [
    'takes a rule about its tool along whose name a delegation sets, also if the parent goes first',
    ['kid', 'pal'],
    `delegations: { kid: { pal: { tool_name: ask_pal } } }\n${rules(rule('ask_pal'), rule('now'))}`,
    rules(rule('now')),
  ],
  [
    'leaves a rule about a tool that stands for another agent too',
    ['kid'],
    `delegations: { lead: { kid: { tool_name: ask } }, pal: { Aide: { tool_name: ask } } }\n${rules(rule('ask'))}`,
    `delegations: { pal: { Aide: { tool_name: ask } } }\n${rules(rule('ask'))}`,
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

test('an agent is not deleted while a file that may name it cannot be read, unless that file goes too', () => {
  const broken = { ...cards, 'callboard.yaml': `${rules(rule('shell', 'kid'))}limits: [\n` };
  expect(removeFrom(broken, ['kid'])).toMatchObject({
    ok: false,
    error: { file: 'callboard.yaml', message: expect.stringContaining("may name 'kid'. Correct it before deleting") },
  });
  expect(removeFrom(broken, ['pal']).ok).toBe(true);
  const brokenCard = { ...cards, 'pal.md': '---\nname: pal\nagents: [kid\n---\nHelp.\n' };
  expect(removeFrom(brokenCard, ['kid'])).toMatchObject({ ok: false, error: { file: 'pal.md' } });
  // The picture of a card that is edited shows the agent as it was.
  const before = readFolder(folderOf(cards));
  const ids = ['agent:kid', 'agent:pal'];
  const both = removeNodes(folderOf(brokenCard), before, projectGraph(before), ids);
  expect(both.ok && [...both.value.keys()].sort()).toEqual(['kid.md', 'lead.md', 'pal.md']);
});
