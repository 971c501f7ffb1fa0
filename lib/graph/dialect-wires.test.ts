import { expect, test } from 'vitest';
import { renameServer } from '@/lib/cards/edit/rename-server';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { Command } from './commands';
import { projectGraph } from './project';
import { removeNodes } from './removal';
import { connect, disconnect } from './wires';

const one = '.claude/agents/one.md';

/** A project with one agent of these fields and two servers. */
function filesOf(fields: string) {
  return {
    [one]: `---\nname: one\ndescription: One.\n${fields}---\nText.\n`,
    '.mcp.json': '{"mcpServers": {"tracker": {"command": "x"}, "context7.io": {"command": "y"}}}\n',
  };
}

function opened(fields: string) {
  const folder = folderOf(filesOf(fields));
  const parsed = readFolder(folder);
  return { folder, parsed, graph: projectGraph(parsed) };
}

function wireTo(fields: string, server: string): Command {
  const { folder, parsed, graph } = opened(fields);
  return connect(folder, parsed, graph, 'agent:one', `server:${server}`);
}

function unwired(fields: string, server: string): Command {
  const { folder, parsed, graph } = opened(fields);
  const edge = graph.edges.find(({ source, target }) => source === 'agent:one' && target === `server:${server}`);
  if (edge === undefined) throw new Error('There is a wire.');
  return disconnect(folder, parsed, graph, edge.id);
}

function fieldsAfter(command: Command): string {
  if (!command.ok) return `refused: ${command.error.message}`;
  const text = command.value.get(one);
  return text === undefined || text === null ? 'unchanged' : (/One\.\n(.*)---\nText/s.exec(text)?.[1] ?? text);
}

const narrowed = 'tools: Read, mcp__tracker__list_issues, mcp__context7_io__search\n';

test('a wire to a server of which the agent has some tools is removed with these tools', () => {
  expect(fieldsAfter(unwired(narrowed, 'tracker'))).toBe('tools: Read, mcp__context7_io__search\n');
  expect(fieldsAfter(unwired(narrowed, 'context7.io'))).toBe('tools: Read, mcp__tracker__list_issues\n');
});

test('such a server is removed from the project and from its agents', () => {
  const { folder, parsed, graph } = opened(narrowed);
  const removed = removeNodes(folder, parsed, graph, ['server:tracker']);
  expect(fieldsAfter(removed)).toBe('tools: Read, mcp__context7_io__search\n');
  expect(removed.ok && removed.value.get('.mcp.json')).toBe('{"mcpServers": {"context7.io": {"command": "y"}}}\n');
});

test.each(['issues', 'issue.tracker', 'issue__tracker'])(
  'such a server is renamed, and keeps its tools: %s',
  (name) => {
    const { folder } = opened(narrowed);
    const renamed = renameServer(folder, 'tracker', name);
    if (!renamed.ok) throw new Error(renamed.error.message);
    const after = new Map(folder);
    for (const [path, text] of renamed.value) after.set(path, { kind: 'text', text: text ?? '' });
    expect(readFolder(after).cards.find((card) => card.name === 'one')).toMatchObject({
      servers: expect.arrayContaining([name, 'context7.io']),
      tools: { [name]: ['list_issues'], 'context7.io': ['search'] },
    });
  },
);

test('a renamed server keeps its place, and stays denied', () => {
  const denying =
    'tools: mcp__tracker__*, Read, Bash(x)\ndisallowedTools: ["mcp__tracker__delete", Write]\nmcpServers: [tracker]\n';
  expect(fieldsAfter(renameServer(opened(denying).folder, 'tracker', 'issues'))).toBe(
    denying.replaceAll('tracker', 'issues'),
  );
});

test('a wire to a server writes the name that its tools have in Claude Code', () => {
  expect(fieldsAfter(wireTo('tools: Read\n', 'context7.io'))).toBe('tools: Read, mcp__context7_io\n');
});

test('a wire that follows from the rules stays, though a field names the server', () => {
  expect(fieldsAfter(unwired('mcpServers: [tracker]\n', 'tracker'))).toMatch(
    /^refused: An agent without 'tools' has every server/,
  );
});

test('a server that mcpServers names is removed there', () => {
  expect(fieldsAfter(unwired('mcpServers: [tracker]\ntools: Read\n', 'tracker'))).toBe('tools: Read\n');
  expect(fieldsAfter(unwired('mcpServers: tracker, context7.io\ntools: Read\n', 'tracker'))).toBe(
    'mcpServers: context7.io\ntools: Read\n',
  );
});
