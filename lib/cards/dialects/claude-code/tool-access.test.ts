import { expect, test } from 'vitest';
import type { AgentCard } from '@/lib/cards/card';
import { folderOf } from '@/lib/cards/files';
import type { ParsedFolder } from '@/lib/cards/parsed-folder';
import { readFolder } from '@/lib/cards/project/read-folder';

const defined = ['tracker', 'wiki', 'context7.io', 'my server', 'my', 'my__big'];

/** A project with one agent of these fields. */
function projectOf(fields: string): ParsedFolder {
  return readFolder(
    folderOf({
      '.claude/agents/one.md': `---\nname: one\ndescription: One.\n${fields}\n---\nText.\n`,
      '.mcp.json': JSON.stringify({ mcpServers: Object.fromEntries(defined.map((name) => [name, { command: 'x' }])) }),
    }),
  );
}

function agentIn({ cards }: ParsedFolder): AgentCard {
  const card = cards.find(({ name }) => name === 'one');
  if (card?.type !== 'agent') throw new Error('There is an agent.');
  return card;
}

const denials = "More is left out than 'disallowedTools' denies with ";

test.each<[string, string, Partial<AgentCard>, readonly string[]]>([
  [
    'tools narrow a server that mcpServers gives',
    'mcpServers: [tracker]\ntools: Read(x), mcp__tracker__list_issues',
    { servers: ['tracker'], tools: { tracker: ['list_issues'] } },
    ['Tools of Claude Code itself cannot run here: Read.'],
  ],
  [
    'mcpServers give a whole server of which tools name nothing',
    'mcpServers: [tracker]\ntools: mcp__wiki__get',
    { servers: ['tracker', 'wiki'], tools: { wiki: ['get'] } },
    [],
  ],
  [
    'a shell of which a part is denied is withheld',
    'tools: Bash\ndisallowedTools: Bash(git push:*)',
    { servers: [], shell: false },
    ["An agent has no shell here if 'disallowedTools' denies a part of it: 'Bash(git push:*)'."],
  ],
  [
    'one tool is taken out of those that are listed',
    'tools: mcp__wiki__get, mcp__wiki__delete\ndisallowedTools: mcp__wiki__delete',
    { servers: ['wiki'], tools: { wiki: ['get'] } },
    [],
  ],
  [
    'one tool of a whole server takes the server, and that is told',
    'tools: mcp__wiki, mcp__tracker\ndisallowedTools: mcp__wiki__delete',
    { servers: ['tracker'], tools: {} },
    [`${denials}'mcp__wiki__delete'`],
  ],
  [
    'a pattern takes the tools that fit it',
    'tools: mcp__wiki__get, mcp__wiki__delete_all\ndisallowedTools: mcp__wiki__delete_*',
    { servers: ['wiki'], tools: { wiki: ['get'] } },
    [],
  ],
  [
    'without tools the server goes as well, and that is told',
    'disallowedTools: mcp__wiki__delete, mcp__my_server, mcp__context7_io, mcp__my, mcp__my__big',
    { servers: ['tracker'], tools: {} },
    [`${denials}'mcp__wiki__delete'`],
  ],
  ['every tool', 'tools: "*"', { servers: defined, shell: false }, []],
  [
    'every tool, as a list',
    'tools: ["*"]\ndisallowedTools: mcp__wiki',
    { servers: defined.filter((name) => name !== 'wiki') },
    [],
  ],
  ['every tool, without quotes', 'tools: *', { servers: defined }, []],
  [
    'names of servers with other signs',
    'tools: mcp__context7_io__search, mcp__my_server, mcp__my__big__look, mcp__my__small',
    {
      servers: ['context7.io', 'my server', 'my__big', 'my'],
      tools: { 'context7.io': ['search'], my__big: ['look'], my: ['small'] },
    },
    [],
  ],
  [
    'a server that the project does not define',
    'mcpServers: [jira]',
    { servers: defined },
    ["Tools of servers that .mcp.json does not define cannot run here: 'jira'."],
  ],
])('an agent has what its file allows, and not more: %s', (_, fields, card, told) => {
  const parsed = projectOf(fields);
  expect(agentIn(parsed)).toMatchObject(card);
  expect(parsed.issues.map(({ message }) => message)).toEqual(told.map((text) => expect.stringContaining(text)));
});

test.each([
  ['a: b', 'description: a: b'],
  ['"Use this" agent when: x', 'description: "Use this" agent when: x'],
  ['*', 'description: *'],
])('a text that is no YAML is read as it is: %s', (text, line) => {
  const file = `---\nname: one\n${line}\n---\nText.\n`;
  const [card] = readFolder(folderOf({ '.claude/agents/one.md': file })).cards.filter(({ name }) => name === 'one');
  expect(card).toMatchObject({ description: text });
});

test('a text that goes on in the next line is not read as its first line', () => {
  const file = '---\nname: one\ndescription: Use it: when: x\n  more\n---\nText.\n';
  expect(readFolder(folderOf({ '.claude/agents/one.md': file })).unread.size).toBe(1);
});

test('a file without a name is a document, and one without a description is told', () => {
  const parsed = readFolder(
    folderOf({
      '.claude/agents/README.md': '---\ntitle: Our agents\n---\nText.\n',
      '.claude/agents/one.md': '---\nname: one\n---\nText.\n',
    }),
  );
  expect(parsed.roles.get('.claude/agents/README.md')).toBe('document');
  expect(parsed.cards.map(({ name }) => name).sort()).toEqual(['main', 'one']);
  expect(parsed.issues).toMatchObject([
    { file: '.claude/agents/one.md', code: 'dialect-kept', message: expect.stringContaining("'description'") },
  ]);
});
