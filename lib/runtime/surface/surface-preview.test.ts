import { expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { fakeTools } from '@/lib/testing/fake-tools';
import { graphOf } from '@/lib/testing/graph-of';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';
import { previewSurface } from './surface-preview';

function preview(
  files: Readonly<Record<string, string>>,
  agent = 'lead',
  listings: Parameters<typeof previewSurface>[3] = {},
) {
  const folder = folderOf(files);
  const parsed = readFolder(folder);
  const card = parsed.cards.find(({ name }) => name === agent);
  if (card?.type !== 'agent') throw new Error(`No agent ${agent}`);
  return previewSurface(parsed, folder, card, listings);
}

const kid = '---\nname: kid\ndescription: Does the work.\n---\nWork.\n';

it('shows servers with their globs, then functions, built-in tools and children in the order of the request', () => {
  const { servers, tools, notes } = preview({
    'agent-cards/lead.md':
      '---\nname: lead\nagents: [kid]\nservers: [time, files]\ntools:\n  files: ["read_*"]\nfunction_tools: [tools.ts:add]\nhuman_input: true\n---\nLead.\n',
    'agent-cards/kid.md': kid,
    'agent-cards/tools.ts': 'export function add(a: number) { return a; }\n',
    'callboard.yaml': 'runtime_tools:\n  state: true\n',
  });
  expect(servers).toEqual([
    { name: 'time', tools: undefined, listed: undefined, filteredOut: [] },
    { name: 'files', tools: ['read_*'], listed: undefined, filteredOut: [] },
  ]);
  expect(tools.map(({ name, source, from, description }) => [name, source, from, description])).toEqual([
    ['add', 'function', 'tools.ts:add', undefined],
    ['get_state', 'runtime', undefined, expect.any(String)],
    ['set_state', 'runtime', undefined, expect.any(String)],
    ['__human_input', 'runtime', undefined, 'Ask the person who started this run.'],
    ['agent__kid', 'agent', 'kid', 'Does the work.'],
  ]);
  expect(tools.at(-1)?.inputSchema).toMatchObject({ type: 'object' });
  expect(notes).toEqual([]);
});

it('shows the tools of tested servers after the filter, with the estimated tokens, and names what the filter leaves out', () => {
  const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
  const files = {
    'agent-cards/lead.md':
      '---\nname: lead\nservers: [time, files]\ntools: {time: [get_*]}\nfunction_tools: [tools.ts:time__get_time]\n---\nLead.\n',
    'agent-cards/tools.ts': 'export function time__get_time() { return 1; }\n',
  };
  const listings = { time: { tools: [tool('get_time'), tool('set_time')] } };
  const { servers, tools, notes } = preview(files, 'lead', listings);
  expect(servers).toEqual([
    { name: 'time', tools: ['get_*'], listed: ['get_time', 'set_time'], filteredOut: ['set_time'] },
    { name: 'files', tools: undefined, listed: undefined, filteredOut: [] },
  ]);
  expect(tools).toEqual([
    {
      name: 'time__get_time',
      source: 'mcp',
      from: 'time',
      description: 'Does get_time.',
      inputSchema: { type: 'object' },
      tokens: 22,
      hiddenIn: [],
      isToBeFound: false,
    },
  ]);
  expect(notes).toEqual([
    "the function tool 'time__get_time' is left out: the name 'time__get_time' is taken by the MCP tool 'get_time' of server 'time'.",
  ]);
});

it('says what a name that two want leaves out', () => {
  const { tools, notes } = preview({
    'agent-cards/lead.md': '---\nname: lead\nagents: [kid]\nfunction_tools: [tools.ts:go]\n---\nLead.\n',
    'agent-cards/kid.md': kid,
    'callboard.yaml': 'delegations:\n  lead:\n    kid:\n      tool_name: go\n',
  });
  expect(tools.map(({ name, source }) => [name, source])).toEqual([['go', 'function']]);
  expect(notes).toEqual(["Agent 'kid' is left out: the name 'go' is taken by the function tool 'go'."]);
});

it('names the inactive groups that hide a tool', () => {
  const { tools } = preview({
    'agent-cards/lead.md': '---\nname: lead\nagents: [kid, pal]\n---\nLead.\n',
    'agent-cards/kid.md': kid,
    'agent-cards/pal.md': '---\nname: pal\n---\nHelp.\n',
    'callboard.yaml':
      'tool_groups:\n  lead:\n    activation: true\n    groups:\n      off: { active: false, agents: [kid] }\n      on: { active: true, agents: [pal] }\n',
  });
  expect(tools.map(({ name, hiddenIn }) => [name, hiddenIn])).toEqual([
    ['activate_tool_groups', []],
    ['agent__kid', ['off']],
    ['agent__pal', []],
  ]);
});

it('is what the model is then offered, but for what servers and code add', async () => {
  const settings = { tool_groups: { lead: { activation: false, groups: { off: off(['pal']) } } } };
  const parsed = graphOf('lead > kid, pal, worker', { settings });
  const model = scriptedModel({ lead: 'end' });
  await runGraph({ parsed, model, tools: { mcp: fakeTools({}) } });
  const [lead] = parsed.cards;
  if (lead?.type !== 'agent') throw new Error('No lead');
  const shown = previewSurface(parsed, new Map(), lead).tools.filter(({ hiddenIn }) => hiddenIn.length === 0);
  expect(shown.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
    model.requests[0]?.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
});

function off(agents: string[]) {
  return { active: false, agents, tools: [] };
}

it('a child that would run on the model of its caller says so', () => {
  const notesOf = (defaultModel: string | undefined, model?: string) => {
    const cards = { kid: { model } };
    const parsed = graphOf('lead > kid', { cards, config: { defaultModel } });
    const card = parsed.cards.find((one) => one.name === 'kid');
    return card?.type === 'agent' ? previewSurface(parsed, new Map(), card).notes : undefined;
  };
  expect(notesOf(undefined)).toEqual([expect.stringContaining("it runs on the model of its caller, 'lead'.")]);
  expect([notesOf('gpt-5'), notesOf(undefined, 'gpt-5')]).toEqual([[], []]);
});
