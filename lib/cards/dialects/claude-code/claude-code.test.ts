import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { exportForFastAgent } from '@/lib/cards/export/export-for-fast-agent';
import { isComplete } from '@/lib/cards/export/export-report';
import { folderOf } from '@/lib/cards/files';
import type { FolderFile } from '@/lib/cards/folder';
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

const denying = (deny: readonly string[], more = {}) =>
  agents({ ...files, '.claude/settings.json': JSON.stringify({ permissions: { deny }, ...more }) });

test('the settings take servers, single tools and the shell from every agent', () => {
  const found = denying(['mcp__wiki', 'mcp__tracker__list_issues', 'Bash']);
  expect(found.main).toMatchObject({ servers: ['tracker'], toolsLeftOut: { tracker: ['list_issues'] } });
  expect(found['release-writer']).toMatchObject({ servers: [], tools: {} });
  expect(found['code-checker']).toMatchObject({ shell: false });
  expect(denying([], { disabledMcpjsonServers: ['wiki', 'tracker'] }).main).toMatchObject({ servers: [] });
});

test('the settings deny all agents, or one by the name that its card has', () => {
  expect(denying(['Agent']).main).toMatchObject({ agents: [] });
  const spaced = { ...files, '.claude/agents/helper.md': helper.replace('name: helper', 'name: Code Helper') };
  const settings = '\uFEFF{"permissions": {"deny": ["Agent(Code Helper)"]}}';
  expect(agents({ ...spaced, '.claude/settings.json': settings }).main).toMatchObject({
    agents: ['code-checker', 'release-writer'],
  });
});

test('denials that cannot be said here are told, and take more rather than less', () => {
  const settings = '{"permissions": {"deny": ["mcp__tracker__list_*", "Bash(rm:*)", "Read(./.env)"]}}';
  const parsed = readFolder(folderOf({ ...files, '.claude/settings.json': settings }));
  const told = parsed.issues.filter(({ file }) => file === '.claude/settings.json');
  expect(told.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'dialect-cannot-run'));
  const found = agents({ ...files, '.claude/settings.json': settings });
  expect(found.main).toMatchObject({ servers: ['wiki'] });
  expect(found['release-writer']).toMatchObject({ servers: [] });
  expect(found['code-checker']).toMatchObject({ shell: false });
});

test('settings that are not JSON are an error, because what they deny is unknown', () => {
  const { issues } = readFolder(folderOf({ ...files, '.claude/settings.json': '{"permissions": {' }));
  expect(issues.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'dialect-unreadable', file: '.claude/settings.json' },
  ]);
});

test('an agent named main is one of those that the made-up main agent calls', () => {
  const parsed = readFolder(
    folderOf({ ...files, '.claude/agents/main.md': helper.replace('name: helper', 'name: main') }),
  );
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(parsed.cards.find(({ file }) => file === 'CLAUDE.md')).toMatchObject({
    name: 'main-2',
    agents: ['helper', 'main', 'code-checker', 'release-writer'],
  });
});

test('of two agents with one name the first counts, and the other is told', () => {
  const parsed = readFolder(folderOf({ ...files, '.claude/agents/team/helper.md': helper }));
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(parsed.issues.filter(({ file }) => file.startsWith('.claude/agents/team'))).toMatchObject([
    { code: 'dialect-cannot-run', line: 2, message: expect.stringContaining("'helper'") },
  ]);
  expect(parsed.cards.find(({ name }) => name === 'main')).toMatchObject({
    agents: ['helper', 'code-checker', 'release-writer'],
  });
});

test.each([
  ['its rules and servers', ['CLAUDE.md', '.mcp.json']],
  ['its rules and skills', ['CLAUDE.md', '.claude/skills/house-style/SKILL.md']],
  ['its servers and settings', ['.mcp.json', '.claude/settings.json']],
])('a folder without agents is one of Claude Code by %s', (_, paths) => {
  const some = Object.fromEntries(Object.entries(files).filter(([path]) => paths.includes(path)));
  const parsed = readFolder(folderOf(some));
  expect([parsed.dialect, parsed.cards.map(({ name }) => name)]).toEqual(['claude-code', ['main']]);
  const card = readFolder(folderOf({ ...some, 'lead.md': '---\nname: lead\ndescription: Leads.\n---\nLead.\n' }));
  expect([card.dialect, card.cards.map(({ name }) => name)]).toEqual([undefined, ['lead']]);
});

test('beside AgentCards the agents of Claude Code are kept, and told once', () => {
  const card = '---\nname: lead\nservers: []\n---\nLead.\n';
  const parsed = readFolder(folderOf({ ...files, 'agent-cards/lead.md': card }));
  expect(parsed.cards.map(({ name }) => name)).toEqual(['lead', 'page']);
  expect(parsed.dialect).toBeUndefined();
  expect(parsed.issues.map(({ code }) => code)).toEqual(['dialect-not-read']);
});

const own = '---\nname: reviewer\ndescription: Helps the developers.\n---\nReview.\n';

test.each([
  ['a type', { 'agents/lead.md': '---\ntype: agent\nname: lead\nmodel: sonnet\n---\nLead.\n' }],
  ['a field that only cards have', { 'agents/lead.md': '---\nname: lead\nshell: true\n---\nLead.\n' }],
  [
    'a model, beside servers of fast-agent.yaml',
    {
      'agents/lead.md': '---\nname: lead\nmodel: sonnet\n---\nLead.\n',
      'fast-agent.yaml': 'mcp:\n  servers:\n    time:\n      command: time-mcp\n',
    },
  ],
  [
    'the entry of callboard.yaml',
    {
      'agents/lead.md': '---\nname: lead\ndescription: Leads.\n---\nLead.\n',
      'callboard.yaml': 'version: 1\nentry: lead\n',
    },
  ],
])('a card with %s makes a folder of AgentCards, also with a helper in .claude/agents', (_, record) => {
  const parsed = readFolder(folderOf({ ...record, '.claude/agents/reviewer.md': own }));
  expect(parsed.cards.map(({ name }) => name)).toEqual(['lead']);
  expect(parsed.issues).toMatchObject([{ code: 'dialect-not-read', file: '.claude/agents/reviewer.md' }]);
});

test.each([
  ['a page of a website', { 'site/page.md': '---\ntitle: Page\ngenerator: hugo\n---\nText.\n' }],
  ['an agent of a plugin', { 'plugins/x/agents/a.md': '---\nname: a\nmodel: opus\ntools: Read\n---\nText.\n' }],
  ['a default', { 'docs/a.md': '---\nname: a\ndefault: true\n---\nText.\n' }],
])('%s leaves the folder one of Claude Code, and is told once', (_, record) => {
  const parsed = readFolder(folderOf({ ...record, '.claude/agents/reviewer.md': own }));
  expect(parsed.dialect).toBe('claude-code');
  expect(parsed.issues).toMatchObject([{ code: 'dialect-not-read', file: Object.keys(record)[0] }]);
});

const utf16 = (text: string): FolderFile => {
  const units = new Uint16Array([0xfeff, ...Array.from(text, (sign) => sign.charCodeAt(0))]);
  return { kind: 'binary', bytes: new Uint8Array(units.buffer) };
};

test.each([
  ['UTF-16', utf16(own), 'utf16'],
  ['not UTF-8', { kind: 'binary', bytes: new Uint8Array([...new TextEncoder().encode(own), 0xff]) }, 'not-utf8'],
  ['too large', { kind: 'text', text: own + 'x'.repeat(1_000_001) }, 'card-too-large'],
  [
    'with front matter that is not closed',
    { kind: 'text', text: '---\nname: reviewer\nReview.\n' },
    'front-matter-not-closed',
  ],
] as const)('an agent that is %s is an error, so that no run begins without it', (_, file, code) => {
  const path = '.claude/agents/reviewer.md';
  const parsed = readFolder(
    new Map<string, FolderFile>([...folderOf({ '.claude/agents/a.md': helper }), [path, file]]),
  );
  expect(parsed.unread.get(path)).toMatchObject({ name: 'reviewer' });
  expect(parsed.issues).toMatchObject([{ code, severity: 'error', file: path }]);
});

test('servers in a file that is not UTF-8 are an error', () => {
  const path = '.mcp.json';
  const parsed = readFolder(
    new Map<string, FolderFile>([...folderOf({ '.claude/agents/a.md': own }), [path, utf16('{"mcpServers": {}}')]]),
  );
  expect(parsed.issues).toMatchObject([{ code: 'utf16', severity: 'error', file: path }]);
});

test('agents in a folder further down are told once, and are no cards', () => {
  const down = 'apps/web/.claude/agents';
  const parsed = readFolder(folderOf({ [`${down}/a.md`]: own, [`${down}/b.md`]: writer, 'README.md': 'Text.\n' }));
  expect(parsed.cards).toEqual([]);
  expect(parsed.issues).toMatchObject([
    { code: 'dialect-not-read', file: `${down}/a.md`, message: expect.stringContaining("'apps/web'") },
  ]);
});

test('an agent whose fields cannot be read is told, and its name is not lost', () => {
  const broken = '---\nname: broken\ndescription: "Never closed\n---\nText.\n';
  const parsed = readFolder(folderOf({ ...files, '.claude/agents/broken.md': broken }));
  expect(parsed.unread.get('.claude/agents/broken.md')).toMatchObject({ name: 'broken' });
  expect(parsed.issues.filter(({ severity }) => severity === 'error')).toMatchObject([
    { file: '.claude/agents/broken.md' },
  ]);
});

test('the export for fast-agent has a problem for each agent, because fast-agent does not load it', () => {
  const { report } = exportForFastAgent(folderOf(files));
  expect(report.problems.map(({ code, agent }) => `${code} ${agent}`)).toEqual([
    'dialect-not-exported helper',
    'dialect-not-exported code-checker',
    'dialect-not-exported release-writer',
    'dialect-not-exported main',
  ]);
  expect(isComplete(report)).toBe(false);
});
