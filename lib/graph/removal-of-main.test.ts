import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { agentId, projectGraph } from './project';
import { removeNodes } from './removal';

const agent = '---\nname: a\ndescription: Does it.\n---\nDo it.\n';

test.each([
  ['with its file', { 'CLAUDE.md': 'Be brief.\n', '.claude/agents/a.md': agent }],
  ['without its file', { '.claude/agents/a.md': agent }],
])('the main agent of Claude Code cannot be deleted, %s', (_, files) => {
  const folder = folderOf({
    ...files,
    'callboard.yaml': 'version: 1\ncanvas:\n  positions:\n    agent:main: [0, 0]\n',
  });
  const parsed = readFolder(folder);
  const removed = removeNodes(folder, parsed, projectGraph(parsed), [agentId('main'), agentId('a')]);
  expect(removed).toMatchObject({ ok: false, error: { message: expect.stringContaining("'main' is the main agent") } });
  expect(removeNodes(folder, parsed, projectGraph(parsed), [agentId('a')]).ok).toBe(true);
});

test('without the last agent the folder is still one of Claude Code, if it has its rules and servers', () => {
  const folder = folderOf({ 'CLAUDE.md': 'Be brief.\n', '.mcp.json': '{}', '.claude/agents/a.md': agent });
  const parsed = readFolder(folder);
  const removed = removeNodes(folder, parsed, projectGraph(parsed), [agentId('a')]);
  if (!removed.ok) throw new Error(removed.error.message);
  expect([...removed.value]).toEqual([['.claude/agents/a.md', null]]);
  const after = new Map(folder);
  after.delete('.claude/agents/a.md');
  expect(readFolder(after)).toMatchObject({ dialect: 'claude-code', cards: [{ name: 'main', agents: [] }] });
});
