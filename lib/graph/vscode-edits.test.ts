import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { addAgent, addServer, type Command, renameAgent, setField, setInstruction } from '@/lib/graph/commands';
import { projectGraph } from '@/lib/graph/project';
import { removeNodes } from '@/lib/graph/removal';
import { connect, disconnect } from '@/lib/graph/wires';

/** Edits of a folder of VS Code: only the changed lines differ. */

const lead = `---
# Who leads.
name: Team Lead
description: Leads: plans first   # ours
tools: ['agent', 'read', 'wiki/*']
agents:
  - Plan Architect   # first
  - coder
model: ['Claude Sonnet 4.5 (copilot)', 'GPT-5 (copilot)']
handoffs:
  - label: Check the plan
    agent: Plan Architect
    prompt: Check it.
odd-key: {a: [1, 2]}
---

You lead.
`;
const coder = '---\r\ndescription: Codes.\r\ntools: [read]   # few\r\n---\r\nYou code.\r\n';
const servers = `{
  // Ours.
  "inputs": [{ "id": "wiki-key", "type": "promptString" }],
  "servers": {
    "wiki": { "command": "wiki", "env": { "KEY": "\${input:wiki-key}" } }, // read only
    "tracker": { "type": "http", "url": "https://tracker.example/mcp" }
  }
}
`;
const files = {
  '.github/agents/lead.agent.md': lead,
  '.github/agents/architect.agent.md': '---\nname: Plan Architect\ntools: [wiki/get_page]\n---\nPlan.\n',
  '.github/agents/coder.agent.md': coder,
  '.github/agents/writer.agent.md': '---\nname: Tech Writer\ntools: []\n---\nWrite.\n',
  '.github/prompts/go.prompt.md': "---\nagent: 'Plan Architect'\n---\nGo.\n",
  '.vscode/mcp.json': servers,
};
const folder = folderOf(files);

function changed(command: Command): Readonly<Record<string, string | null>> {
  if (!command.ok) throw new Error(command.error.message);
  return Object.fromEntries(command.value);
}

function after(command: Command): Folder {
  const next = new Map(folder);
  for (const [path, text] of Object.entries(changed(command))) {
    if (text === null) next.delete(path);
    else next.set(path, { kind: 'text', text });
  }
  return next;
}

function agentIn(now: Folder, name: string): AgentCard {
  const card = readFolder(now).cards.find((one) => one.name === name);
  if (card?.type !== 'agent') throw new Error(`'${name}' is an agent.`);
  return card;
}

/** Connects or disconnects two nodes, by names. */
function wired(source: string, target: string): Command {
  const parsed = readFolder(folder);
  const graph = projectGraph(parsed);
  const idOf = (name: string) => graph.nodes.find((node) => node.name === name)?.id ?? '';
  const [from, to] = [idOf(source), idOf(target)];
  const edge = graph.edges.find((one) => one.source === from && one.target === to);
  return edge === undefined ? connect(folder, parsed, graph, from, to) : disconnect(folder, parsed, graph, edge.id);
}

const leadFile = '.github/agents/lead.agent.md';
const parsed = readFolder(folder);

test('a field and the text are changed in place, with the line ends of the file', () => {
  expect(changed(setField(folder, parsed, 'coder', ['description'], 'Codes: well'))).toEqual({
    '.github/agents/coder.agent.md': coder.replace('Codes.', '"Codes: well"'),
  });
  expect(changed(setInstruction(folder, parsed, 'coder', 'You\ncode.'))).toEqual({
    '.github/agents/coder.agent.md': coder.replace('You code.', 'You\r\ncode.'),
  });
  expect(changed(setField(folder, parsed, 'Team_Lead', ['model'], 'claude-opus-4-5'))).toEqual({
    [leadFile]: lead.replace('Claude Sonnet 4.5 (copilot)', 'claude-opus-4-5'),
  });
  expect(changed(setInstruction(folder, parsed, 'Team_Lead', 'You lead.'))).toEqual({});
});

test('a wire to an agent writes its name as its file has it', () => {
  expect(changed(wired('Team_Lead', 'Tech_Writer'))).toEqual({
    [leadFile]: lead.replace('  - coder\n', '  - coder\n  - Tech Writer\n'),
  });
});

test('the first wire to an agent writes the tool that calls agents too', () => {
  const text = changed(wired('coder', 'Tech_Writer'))['.github/agents/coder.agent.md'];
  expect(text).toBe(
    '---\r\ndescription: Codes.\r\ntools: [read, agent]   # few\r\nagents:\r\n  - Tech Writer\r\n---\r\nYou code.\r\n',
  );
});

test('a wire to an agent is removed, and so is the last', () => {
  expect(changed(wired('Team_Lead', 'coder'))).toEqual({ [leadFile]: lead.replace('  - coder\n', '') });
});

test('wires of the agent of VS Code itself are not removed, and the refusal says what does', () => {
  expect(wired('agent', 'coder')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('disable-model-invocation') },
  });
});

test('a wire to a server is a name in tools', () => {
  expect(changed(wired('coder', 'tracker'))).toEqual({
    '.github/agents/coder.agent.md': coder.replace('[read]', '[read, tracker/*]'),
  });
  expect(changed(wired('Team_Lead', 'wiki'))).toEqual({ [leadFile]: lead.replace(", 'wiki/*'", '') });
});

test('a renamed agent has its new name in agents, handoffs and prompts', () => {
  expect(changed(renameAgent(folder, 'Plan_Architect', 'planner'))).toEqual({
    [leadFile]: lead.replace('  - Plan Architect', '  - planner').replace('agent: Plan Architect', 'agent: planner'),
    '.github/agents/architect.agent.md': files['.github/agents/architect.agent.md'].replace(
      'Plan Architect',
      'planner',
    ),
    '.github/prompts/go.prompt.md': "---\nagent: 'planner'\n---\nGo.\n",
  });
});

test('an agent whose name is that of its file gets a name', () => {
  const now = after(renameAgent(folder, 'coder', 'builder'));
  expect(agentIn(now, 'builder').file).toBe('.github/agents/coder.agent.md');
  expect(agentIn(now, 'Team_Lead').agents).toEqual(['Plan_Architect', 'builder']);
});

test('a removed agent is no longer named in agents', () => {
  const graph = projectGraph(parsed);
  const node = graph.nodes.find(({ name }) => name === 'coder');
  const now = after(removeNodes(folder, parsed, graph, [node?.id ?? '']));
  expect(now.has('.github/agents/coder.agent.md')).toBe(false);
  expect(agentIn(now, 'Team_Lead').agents).toEqual(['Plan_Architect']);
});

test('a new agent is a file of .github/agents, and a new server is one of .vscode/mcp.json', () => {
  expect(changed(addAgent(folder, parsed, { name: 'tester' }))).toEqual({
    '.github/agents/tester.agent.md': '---\ndescription: Describe here when tester is to be called.\n---\n',
  });
  const text = changed(
    addServer(folder, parsed, { name: 'files', command: 'files', env: { KEY: '${WIKI_KEY}', A: '${B}' } }),
  )['.vscode/mcp.json'];
  expect(text).toContain('// read only');
  expect(text).toContain('${input:wiki-key}');
  expect(text).toMatch(/"KEY":\s*"\$\{input:wiki-key\}",\s*"A":\s*"\$\{env:B\}"/);
});

test('a renamed server has its new name in the tools of agents', () => {
  const now = after(renameServer(folder, 'wiki', 'pages'));
  expect(agentIn(now, 'Team_Lead').servers).toEqual(['pages']);
  expect(agentIn(now, 'Plan_Architect').tools).toEqual({ pages: ['get_page'] });
});

test('what a custom agent cannot say is refused with the reason', () => {
  expect(setField(folder, parsed, 'coder', ['use_history'], false)).toMatchObject({ ok: false });
  const open = folderOf({ '.github/agents/a.agent.md': '---\nname: a\n---\nA.\n', '.vscode/mcp.json': servers });
  expect(setField(open, readFolder(open), 'a', ['shell'], true)).toMatchObject({
    error: { message: "An agent without 'tools' would lose every other tool. Write 'tools' in its text." },
  });
});
