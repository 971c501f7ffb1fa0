import { expect, test } from 'vitest';
import type { LeftOut } from '@/lib/base/left-out';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { foundIn, hasLeftOut, leaveOutGroups, leaveOutOffer, leftOutOf, toggledLeftOut } from './leave-out';

const folder = folderOf({
  'agent-cards/lead.md':
    '---\nname: lead\nagents: [kid, ghost]\nservers: [clock]\nshell: true\nfunction_tools: [tools.ts:add]\n---\nLead.\n',
  'agent-cards/kid.md': '---\nname: kid\nfunction_tools: [tools.ts:add]\n---\nHelp.\n',
  'agent-cards/tools.ts': 'export function add() {}\n',
  'fast-agent.yaml': 'mcp: { servers: { clock: { command: node, args: [clock.mjs] } } }\n',
});
const parsed = readFolder(folder);
const listing = {
  tools: [{ name: 'get_time' }, { name: 'set_time' }],
  resources: [],
  prompts: [],
  probedAt: 0,
} as never;
const known = { clock: { listing, prints: { tools: {}, resources: {}, prompts: {} }, picked: {} } };

const shown = (leftOut: readonly LeftOut[] = [], typed = '') =>
  foundIn(leaveOutGroups(parsed, known, 'lead', leftOut), typed).map(({ title, rows }) => [
    title,
    rows.map(({ label, of }) => (of === undefined ? label : `${label} (${of})`)),
  ]);

test('agents but the first, servers, tools of tested servers and functions can be left out', () => {
  expect(shown()).toEqual([
    ['Agents', ['kid']],
    ['Servers', ['clock']],
    ['Tools', ['get_time (clock)', 'set_time (clock)', 'add (agent-cards/tools.ts)']],
  ]);
});

test('a search looks for all words in names and where they come from', () => {
  expect(shown([], 'CLOCK get')).toEqual([['Tools', ['get_time (clock)']]]);
  expect(shown([], 'nothing')).toEqual([]);
});

test('what is left out and gone from the project can still be taken off', () => {
  expect(shown([{ kind: 'server', name: 'web' }])[1]).toEqual(['Servers', ['clock', 'web']]);
});

test('each node but a missing or built-in one is a thing to leave out', () => {
  const nodes = projectGraph(parsed).nodes.map((node) => [node.id, leftOutOf(node)] as const);
  expect(Object.fromEntries(nodes)).toEqual({
    'agent:lead': { kind: 'agent', name: 'lead' },
    'agent:kid': { kind: 'agent', name: 'kid' },
    'agent:ghost': undefined,
    'server:clock': { kind: 'server', name: 'clock' },
    'function:agent-cards/tools.ts:add': { kind: 'function', name: 'agent-cards/tools.ts:add' },
    'builtin:lead:shell': undefined,
  });
});

test('a second toggle takes a thing back', () => {
  const tool: LeftOut = { kind: 'tool', server: 'clock', name: 'kid' };
  const agent: LeftOut = { kind: 'agent', name: 'kid' };
  const both = toggledLeftOut(toggledLeftOut([], [tool]), [agent]);
  expect(both).toEqual([tool, agent]);
  expect(toggledLeftOut(both, [{ ...tool }])).toEqual([agent]);
  expect([hasLeftOut(both, tool), hasLeftOut([agent], tool)]).toEqual([true, false]);
});

test('several nodes are left out together, but for the first agent, and taken back together', () => {
  const nodes = projectGraph(parsed).nodes.filter(({ id }) => id !== 'server:clock');
  const kid: LeftOut = { kind: 'agent', name: 'kid' };
  const offer = leaveOutOffer(nodes, [kid], 'lead');
  expect(offer?.label).toBe('Leave 2 out of the next run');
  const out = toggledLeftOut([kid], offer?.ones ?? []);
  expect(out).toEqual([kid, { kind: 'function', name: 'agent-cards/tools.ts:add' }]);
  expect(leaveOutOffer(nodes, out, 'lead')?.label).toBe('Take 2 into the next run');
  expect(toggledLeftOut(out, leaveOutOffer(nodes, out, 'lead')?.ones ?? [])).toEqual([]);
  const [lead] = nodes.filter(({ id }) => id === 'agent:lead');
  expect(leaveOutOffer(lead === undefined ? [] : [lead], [], 'lead')).toBeUndefined();
});
