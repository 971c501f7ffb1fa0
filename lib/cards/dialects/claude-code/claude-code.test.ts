import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';

const writer = `---
name: release-writer
description: Writes release notes. Use it when: a release is near
tools: Read, Grep, Agent(a, b), mcp__tracker__list_issues
model: inherit
color: cyan
skills: house-style
---

You write {{what}} changed.
`;
const checker = `---
name: code-checker
description: Looks for bugs.
tools: ["Read", "Bash"]
model: sonnet
maxTurns: 12
color: red
hooks:
  PreToolUse: []
---
You check code.
`;
const helper = '---\nname: helper\ndescription: Helps.\ndisallowedTools: mcp__wiki\n---\nYou help.\n';
const servers = JSON.stringify({
  mcpServers: {
    tracker: { type: 'http', url: 'https://tracker.example/mcp', headers: { Authorization: '${TOKEN:-none}' } },
    wiki: { command: 'npx', args: ['-y', 'wiki-mcp'] },
  },
});

const files = {
  'CLAUDE.md': '# Rules\n\nBe brief.\n',
  '.mcp.json': servers,
  '.claude/agents/writer.md': writer,
  '.claude/agents/review/code-checker.md': checker,
  '.claude/agents/helper.md': helper,
  '.claude/agents/README.md': 'These are our agents.\n',
  '.claude/skills/house-style/SKILL.md': '---\nname: house-style\ndescription: How we write.\n---\nShort.\n',
  '.claude/commands/ship.md': '---\ndescription: Ships it.\nmodel: opus\n---\nShip.\n',
  '.claude/settings.json': '{"hooks": {"PreToolUse": []}}',
  'docs/page.md': '---\nname: page\ndescription: A page.\n---\nText.\n',
};

function agents(record: Readonly<Record<string, string>>): Readonly<Record<string, AgentCard>> {
  const cards = readFolder(folderOf(record)).cards.filter((card): card is AgentCard => card.type === 'agent');
  return Object.fromEntries(cards.map((card) => [card.name, card]));
}

test('agents of Claude Code are agents, and the main agent calls each of them', () => {
  const found = agents(files);
  expect(Object.keys(found).sort()).toEqual(['code-checker', 'helper', 'main', 'release-writer']);
  expect(found.main).toMatchObject({
    file: 'CLAUDE.md',
    isDefault: true,
    instruction: '# Rules\n\nBe brief.',
    agents: ['helper', 'code-checker', 'release-writer'],
    servers: ['tracker', 'wiki'],
  });
  expect(found['release-writer']).toMatchObject({
    description: 'Writes release notes. Use it when: a release is near',
    model: undefined,
    servers: ['tracker'],
    tools: { tracker: ['list_issues'] },
    skills: ['.claude/skills/house-style'],
    instruction: 'You write \\{{what}} changed.',
  });
  expect(found['code-checker']).toMatchObject({
    model: 'sonnet',
    shell: true,
    servers: [],
    requestParams: { max_iterations: 12 },
  });
});

test('an agent without tools has the servers of the project, but for those that are denied', () => {
  expect(agents(files).helper).toMatchObject({ servers: ['tracker'], shell: false });
});

test('servers of .mcp.json are servers of the project, with the variables of this side', () => {
  const { config } = readFolder(folderOf(files));
  expect(config.file).toBe('.mcp.json');
  expect(config.servers.tracker).toMatchObject({ transport: 'http', headers: { Authorization: '${TOKEN:none}' } });
  expect(config.servers.wiki).toMatchObject({ transport: 'stdio', command: 'npx', args: ['-y', 'wiki-mcp'] });
});

test('each reason is told once for the folder, with the first place', () => {
  const { issues } = readFolder(folderOf(files));
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  const told = issues.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message.slice(0, 56)}`);
  expect(told).toEqual([
    '.claude/agents/review/code-checker.md:4 dialect-cannot-run Tools of Claude Code itself cannot run here: Grep, Read.',
    ".claude/agents/review/code-checker.md:7 dialect-kept 'color' is kept and has no effect here: it is a colour i",
    ".claude/agents/review/code-checker.md:8 dialect-cannot-run 'hooks' is kept and cannot run here: they are commands, ",
    ".claude/agents/writer.md:4 dialect-kept Agent(a, b) in 'tools' is kept and has no effect: in Cla",
    '.claude/commands/ship.md:1 dialect-kept A command of .claude/commands is kept and has no effect ',
    '.claude/settings.json:1 dialect-cannot-run The hooks of .claude/settings.json are kept and cannot r',
  ]);
});

test('without CLAUDE.md the main agent is there all the same', () => {
  const { 'CLAUDE.md': _, '.mcp.json': __, ...rest } = files;
  const parsed = readFolder(folderOf(rest));
  expect(parsed.cards.find(({ name }) => name === 'main')).toMatchObject({ file: 'CLAUDE.md', instruction: undefined });
  expect(parsed.roles.has('CLAUDE.md')).toBe(false);
  expect(parsed.config.file).toBe('.mcp.json');
});

test('the main agent does not call an agent that the settings deny', () => {
  const settings = '{"permissions": {"deny": ["Agent(helper)", "Task(code-checker)", "Bash(rm:*)"]}}';
  expect(agents({ ...files, '.claude/settings.json': settings }).main).toMatchObject({ agents: ['release-writer'] });
});

test('beside AgentCards the agents of Claude Code are kept, and told once', () => {
  const card = '---\nname: lead\nservers: []\n---\nLead.\n';
  const parsed = readFolder(folderOf({ ...files, 'agent-cards/lead.md': card }));
  expect(parsed.cards.map(({ name }) => name)).toEqual(['lead', 'page']);
  expect(parsed.dialect).toBeUndefined();
  expect(parsed.issues.map(({ code }) => code)).toEqual(['dialect-not-read']);
});

test('an agent whose fields cannot be read is told, and its name is not lost', () => {
  const broken = '---\nname: broken\ndescription: "Never closed\n---\nText.\n';
  const parsed = readFolder(folderOf({ ...files, '.claude/agents/broken.md': broken }));
  expect(parsed.unread.get('.claude/agents/broken.md')).toMatchObject({ name: 'broken' });
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toMatchObject([
    { file: '.claude/agents/broken.md' },
  ]);
});

test('the export for fast-agent says that it does not load these agents', () => {
  const { report } = exportForFastAgent(folderOf(files));
  expect(report.notes).toMatchObject([{ kind: 'lost', message: expect.stringContaining('written for Claude Code') }]);
});
