import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const builder = `---
name: Feature Builder
description: Builds features: first research, then code
argument-hint: A feature
tools: ['agent', 'read', 'search/codebase', 'tracker/list_issues', "execute"]
agents: ['Plan Architect', Implementer]
model: ['Claude Sonnet 4.5 (copilot)', 'GPT-5 (copilot)']
handoffs:
  - label: Review it
    agent: reviewer
    prompt: Review the change.
    send: false
  - label: Start over
    agent: agent
  - label: Ask nobody
    agent: nobody
---

You build {{what}} is asked.
`;
const architect = `---
name: Plan Architect
user-invocable: false
disable-model-invocation: true
tools: ['wiki/*', 'github/get_issue', 'fetch']
---
Check the plan.
`;
const implementer = `---
name: Implementer
tools: []
target: vscode
mcp-servers:
  own:
    command: x
hooks:
  PostToolUse: []
metadata:
  owner: us
tone: dry
---
Write the code.
`;
const reviewer = '---\ndescription: Reviews.\nmodel: GPT-4.1\n---\nYou review.\n';
const servers = `{
  // Ours.
  "inputs": [{ "type": "promptString", "id": "api-key", "password": true }],
  "servers": {
    "tracker": { "type": "http", "url": "https://tracker.example/mcp", "headers": { "Authorization": "Bearer \${input:api-key}" } },
    "wiki": { "type": "stdio", "command": "\${workspaceFolder}/wiki", "env": { "HOME": "\${env:HOME}" } }, /* last */
  },
}
`;

const files = {
  '.github/copilot-instructions.md': '# Rules\n\nBe brief.\n',
  '.vscode/mcp.json': servers,
  '.github/agents/builder.agent.md': builder,
  '.github/agents/architect.agent.md': architect,
  '.github/agents/implementer.md': implementer,
  '.github/agents/README.md': '---\ntitle: Our agents\n---\nThese are our agents.\n',
  '.github/chatmodes/reviewer.chatmode.md': reviewer,
  '.github/prompts/ship.prompt.md': '---\nagent: reviewer\ndescription: Ships it.\ntools: [read]\n---\nShip.\n',
  '.github/instructions/ts.instructions.md': '---\napplyTo: "**/*.ts"\n---\nUse types.\n',
  '.github/hooks/all.json': '{"hooks": {}}',
  '.github/skills/house-style/SKILL.md': '---\nname: house-style\ndescription: How we write.\n---\nShort.\n',
  '.github/workflows/ci.yml': 'name: ci\non: push\n',
  'AGENTS.md': 'Use tabs.\n',
};

function agents(record: Readonly<Record<string, string>>): Readonly<Record<string, AgentCard>> {
  const cards = readFolder(folderOf(record)).cards.filter((card): card is AgentCard => card.type === 'agent');
  return Object.fromEntries(cards.map((card) => [card.name, card]));
}

/** A folder of agents, each with its fields. */
function folderWith(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record).map(([name, fields]) => [`.github/agents/${name}.agent.md`, `---\n${fields}\n---\nWork.\n`]),
  );
}

const callsIn = (record: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(agents(folderWith(record))).map(([name, { agents: called }]) => [name, called]));

const toldIn = (record: Readonly<Record<string, string>>) =>
  readFolder(folderOf(record)).issues.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);

test('custom agents and former chat modes are agents, and a file without a name has the name of its file', () => {
  const found = agents(files);
  expect(Object.keys(found).sort()).toEqual(['Feature_Builder', 'Implementer', 'Plan_Architect', 'agent', 'reviewer']);
  expect(found.Feature_Builder).toMatchObject({
    description: 'Builds features: first research, then code',
    model: 'claude-sonnet-4-5',
    shell: true,
    servers: ['tracker'],
    tools: { tracker: ['list_issues'] },
    agents: ['Plan_Architect', 'Implementer'],
    skills: ['.github/skills'],
    instruction: 'You build \\{{what}} is asked.',
  });
  expect(found.Plan_Architect).toMatchObject({ toolOnly: true, servers: ['wiki'], tools: {}, agents: [] });
  expect(found.Implementer).toMatchObject({ servers: [], shell: false });
  expect(found.reviewer).toMatchObject({ file: '.github/chatmodes/reviewer.chatmode.md', model: 'gpt-4.1' });
});

test('the agent of VS Code itself has the rules, every server, and each agent that may be called', () => {
  expect(agents(files).agent).toMatchObject({
    file: '.github/copilot-instructions.md',
    isDefault: true,
    instruction: '# Rules\n\nBe brief.',
    servers: ['tracker', 'wiki'],
    agents: ['Feature_Builder', 'Implementer', 'reviewer'],
  });
});

test('an agent without tools has the servers of the project and no shell, as with all tools', () => {
  expect(agents(files).reviewer).toMatchObject({ servers: ['tracker', 'wiki'], shell: false });
  const all = { ...files, '.github/agents/all.agent.md': "---\ntools: ['*']\n---\nAll.\n" };
  expect(agents(all).all).toMatchObject({ servers: ['tracker', 'wiki'], tools: {} });
});

test('servers of .vscode/mcp.json are servers of the project, with comments, inputs and variables', () => {
  const { config } = readFolder(folderOf(files));
  expect(config.file).toBe('.vscode/mcp.json');
  expect(config.servers.tracker).toMatchObject({
    transport: 'http',
    headers: { Authorization: 'Bearer ${API_KEY}' },
  });
  expect(config.servers.wiki).toMatchObject({ transport: 'stdio', command: './wiki', env: { HOME: '${HOME}' } });
});

test('each reason is told once for the folder, with the first place, and nothing is an error', () => {
  const { issues } = readFolder(folderOf(files));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const told = issues.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message.slice(0, 44)}`);
  expect(told).toEqual([
    '.github/agents/architect.agent.md:5 dialect-cannot-run Tools of servers that .vscode/mcp.json does ',
    '.github/agents/architect.agent.md:5 dialect-cannot-run Tools of VS Code itself and of its extension',
    ".github/agents/builder.agent.md:4 dialect-kept 'argument-hint' is kept and has no effect he",
    ".github/agents/builder.agent.md:7 dialect-kept Of several names in 'model' the first is use",
    ".github/agents/builder.agent.md:8 dialect-kept 'handoffs' is kept and has no effect here: i",
    ".github/agents/builder.agent.md:8 dialect-kept 'handoffs' names agents that the folder does",
    ".github/agents/implementer.md:4 dialect-kept 'target' is kept and has no effect here: age",
    ".github/agents/implementer.md:5 dialect-cannot-run 'mcp-servers' is kept and cannot run here: d",
    ".github/agents/implementer.md:8 dialect-cannot-run 'hooks' is kept and cannot run here: they ar",
    ".github/agents/implementer.md:10 dialect-kept 'metadata' is kept and has no effect here: i",
    ".github/agents/implementer.md:12 dialect-kept 'tone': no field that VS Code or GitHub Copi",
    ".github/chatmodes/reviewer.chatmode.md:1 dialect-kept An agent without 'agents' and 'tools' may ca",
    '.github/hooks/all.json:1 dialect-cannot-run Hooks of .github/hooks are kept and cannot r',
    '.github/instructions/ts.instructions.md:1 dialect-kept Instructions (*.instructions.md) are kept an',
    '.github/prompts/ship.prompt.md:1 dialect-kept A prompt (*.prompt.md) is kept and has no ef',
    ".vscode/mcp.json:3 dialect-kept VS Code asks a person for 'inputs'. Here giv",
    'AGENTS.md:1 dialect-kept Rules for every agent, such as AGENTS.md, ar',
  ]);
});

test('agents names who is called, and overrides disable-model-invocation', () => {
  expect(
    callsIn({
      a: "tools: [agent]\nagents: ['b']",
      b: 'tools: [read]\ndisable-model-invocation: true',
      c: 'tools: [read]',
    }),
  ).toEqual({ a: ['b'], b: [], c: [], agent: ['a', 'c'] });
});

test('a star, or the tool agent alone, calls each agent that may be called and calls none itself', () => {
  const others = { c: 'tools: [read]', d: 'tools: [read]\ninfer: false', e: 'tools: [agent]\nagents: [c]' };
  expect(callsIn({ a: "tools: [agent]\nagents: '*'", ...others }).a).toEqual(['c']);
  expect(callsIn({ a: 'tools: [runSubagent]', ...others }).a).toEqual(['c']);
  expect(callsIn({ a: 'tools: [agent]\nagents: []', ...others }).a).toEqual([]);
});

test('an agent that says nothing of others calls none, and that is told', () => {
  const quiet = folderWith({ a: 'description: Does it.', b: 'tools: [read]' });
  expect(agents(quiet).a?.agents).toEqual([]);
  expect(toldIn(quiet).filter((line) => line.includes("without 'agents' and 'tools'"))).toHaveLength(1);
});

test('agents has no effect without the tool agent', () => {
  expect(callsIn({ a: 'tools: [read]\nagents: [b]', b: 'tools: [read]' }).a).toEqual([]);
  expect(callsIn({ a: 'agents: [b]', b: 'tools: [read]' }).a).toEqual(['b']);
});

test('a call that leads back, and the call of an agent that is not there, are left out and told', () => {
  const round = { a: 'agents: [b]', b: 'agents: [c]', c: 'agents: [a, c, Explore]' };
  expect(callsIn(round)).toMatchObject({ a: ['b'], b: ['c'], c: [] });
  const told = toldIn(folderWith(round));
  expect(told.filter((line) => line.includes('leads back'))).toHaveLength(1);
  expect(told.filter((line) => line.includes("'Explore'"))).toHaveLength(1);
  expect(readFolder(folderOf(folderWith(round))).issues.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('of two agents with one name the first by path is used', () => {
  const twice = { ...folderWith({ a: 'name: one', b: 'name: one' }) };
  expect(agents(twice).one?.file).toBe('.github/agents/a.agent.md');
  expect(toldIn(twice).filter((line) => line.includes('only the first by path'))).toHaveLength(1);
});

test('a folder with agents of Claude Code too is one of Claude Code, unless entry names an agent of VS Code', () => {
  const both = {
    ...folderWith({ a: 'tools: [read]', b: 'tools: [read]' }),
    '.claude/agents/c.md': '---\nname: c\ndescription: Does it.\n---\nC.\n',
  };
  const parsed = readFolder(folderOf(both));
  expect(parsed.dialect).toBe('claude-code');
  const told = parsed.issues.filter(({ code }) => code === 'dialect-not-read');
  expect(told.map(({ message }) => message)).toEqual([
    '2 agents of VS Code in .github/agents are kept and not read, because the folder has agents of Claude Code.',
  ]);
  expect(readFolder(folderOf({ ...both, 'callboard.yaml': 'entry: a\n' })).dialect).toBe('vscode');
});

test('AgentCards are the agents of a folder that has both, and agents further down are told', () => {
  const cards = { 'agent-cards/x.md': '---\nname: x\n---\nX.\n', ...folderWith({ a: 'tools: [read]' }) };
  expect(readFolder(folderOf(cards)).dialect).toBeUndefined();
  const below = { 'apps/web/.github/agents/a.agent.md': '---\nname: a\n---\nA.\n' };
  expect(toldIn(below)).toEqual([expect.stringContaining('in a folder further down')]);
});

test.each([
  ['Claude Sonnet 4.5 (copilot)', 'claude-sonnet-4-5'],
  ['claude-sonnet-4.5', 'claude-sonnet-4-5'],
  ['GPT-5', 'gpt-5'],
  ['GPT-9.1-Codex (copilot)', 'openai.gpt-9.1-codex'],
  ['Gemini 3 Flash (Preview) (copilot)', 'google.gemini-3-flash'],
  ['sonnet?reasoning=high', 'sonnet?reasoning=high'],
  ['openrouter/anthropic/claude', 'openrouter/anthropic/claude'],
])('the model %s is %s here', (shown, name) => {
  expect(agents(folderWith({ a: `model: ${JSON.stringify(shown)}` })).a?.model).toBe(name);
});

test('an inventory of agents deep in the folder does not make it a folder of AgentCards', () => {
  const list = 'generated_at: 2026-01-01\ngenerator: build\nagents:\n  - path: a.agent.md\n    tier: light\n';
  const parsed = readFolder(folderOf({ ...folderWith({ a: 'tools: [read]' }), 'evals/AGENTS.yml': list }));
  expect(parsed.dialect).toBe('vscode');
});

test('rules and servers alone are a project of VS Code', () => {
  const { '.github/copilot-instructions.md': rules, '.vscode/mcp.json': mcp } = files;
  const parsed = readFolder(folderOf({ '.github/copilot-instructions.md': rules, '.vscode/mcp.json': mcp }));
  expect(parsed.dialect).toBe('vscode');
  expect(parsed.cards).toMatchObject([{ name: 'agent', servers: ['tracker', 'wiki'] }]);
});
