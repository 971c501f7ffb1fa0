import { expect, test } from 'vitest';
import type { KnownServers } from '@/lib/base/known-servers';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { triableTools } from './tool-choices';
import { choiceAt } from './tool-place';

const folder = folderOf({
  'lead.md': '---\nname: lead\nservers: [mail]\ntools: {mail: [read*]}\nfunction_tools: [a.ts:add]\n---\nLead.\n',
  'with-clerk.md':
    '---\nname: clerk\nservers: [mail, bank]\ntools: {bank: [pay, "get_*"]}\nfunction_tools: [b.ts:add]\n---\nClerk.\n',
  'a.ts': 'export const add = () => 1;\n',
  'b.ts': 'export const add = () => 2;\n',
  'fast-agent.yaml': 'mcp: {servers: {mail: {command: a}, bank: {command: b}, idle: {command: c}}}\n',
});
const parsed = readFolder(folder);
const tool = (name: string) => ({ name, description: `It does ${name}.`, inputSchema: { type: 'object' } });
const known: KnownServers = {
  mail: {
    listing: { tools: [tool('send'), tool('read')], resources: [], prompts: [], probedAt: 0 },
    prints: { tools: {}, resources: {}, prompts: {} },
    picked: {},
  },
};
const cardOf = (name: string) => {
  const card = parsed.cards.find((one) => one.name === name);
  if (card === undefined) throw new Error(`There is no card ${name}`);
  return card;
};

test('a tool of a server is tried as the first agent that takes it', () => {
  const at = (name?: string, agent?: string) =>
    choiceAt(parsed, known, { kind: 'server', server: 'mail', tool: name, agent });
  expect(at('read')).toEqual({ agent: 'lead', tool: 'mail__read', server: 'mail' });
  expect(at('send')).toEqual({ agent: 'clerk', tool: 'mail__send', server: 'mail' });
  expect(at('read', 'clerk')).toMatchObject({ agent: 'clerk' });
  expect(at('send', 'lead')).toMatch(/No agent takes 'send' of server 'mail'/);
  expect(at()).toEqual({ agent: 'lead', tool: 'mail__read', server: 'mail' });
});

test('before a server has listed its tools, the bench opens with one that a card names, else leaves the choice open', () => {
  expect(choiceAt(parsed, known, { kind: 'server', server: 'bank' })).toEqual({
    ...{ agent: 'clerk', tool: 'bank__pay', server: 'bank' },
  });
  expect(choiceAt(parsed, {}, { kind: 'server', server: 'mail' })).toEqual({
    ...{ agent: 'lead', tool: '', server: undefined },
  });
});

test('at an agent, the bench opens with a tool that its card names or a server has listed, else with a function', () => {
  const at = (agent: string, tested = known) => choiceAt(parsed, tested, { kind: 'agent', agent });
  expect(at('clerk')).toEqual({ agent: 'clerk', tool: 'mail__send', server: 'mail' });
  expect(at('clerk', {})).toEqual({ agent: 'clerk', tool: 'bank__pay', server: 'bank' });
  expect(at('lead', {})).toEqual({ agent: 'lead', tool: 'add', server: undefined });
  expect(at('ghost')).toEqual({ agent: 'ghost', tool: '', server: undefined });
});

test('a server that no agent uses has no tools to try', () => {
  expect(choiceAt(parsed, known, { kind: 'server', server: 'idle' })).toMatch(/No agent uses server 'idle'/);
});

test('a function is tried as the agent whose tool of that name it is', () => {
  const at = (file: string) => choiceAt(parsed, known, { kind: 'function', file, name: 'add' });
  expect(at('a.ts')).toMatchObject({ agent: 'lead', tool: 'add' });
  expect(at('b.ts')).toMatchObject({ agent: 'clerk', tool: 'add' });
  expect(at('c.ts')).toMatch(/No agent has the function 'add' of c.ts/);
});

test('an agent has the tools that its servers listed, those that its card names, and its functions', () => {
  const names = (agent: string) =>
    triableTools(parsed, folder, cardOf(agent), known).tools.map(({ tool: name, server }) => [name, server]);
  expect(names('lead')).toEqual([
    ['mail__read', 'mail'],
    ['add', undefined],
  ]);
  expect(names('clerk')).toEqual([
    ['bank__pay', 'bank'],
    ['mail__send', 'mail'],
    ['mail__read', 'mail'],
    ['add', undefined],
  ]);
});

test('the servers of an agent that were not tested yet are named', () => {
  const untested = (agent: string) => triableTools(parsed, folder, cardOf(agent), known).untested;
  expect(untested('lead')).toEqual([]);
  expect(untested('clerk')).toEqual(['bank']);
});
