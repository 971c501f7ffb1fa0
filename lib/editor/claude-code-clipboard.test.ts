import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { mergeSlice } from '@/lib/graph/transfer/merge-slice';
import { type Slice, sliceFolder } from '@/lib/graph/transfer/slice-project';
import { read, sliceOf } from '@/lib/testing/pasted-pair';
import { readPasted } from './clipboard';

/** Agents of Claude Code are copied, pasted and brought as those of AgentCards. */

const helper = '---\nname: helper\ndescription: Helps.\ntools: Read, mcp__wiki\n---\nYou help.\n';
const files = {
  'CLAUDE.md': 'Be brief.\n',
  '.mcp.json': '{"mcpServers": {"wiki": {"command": "npx", "args": ["wiki-mcp"]}}}',
  '.claude/agents/helper.md': helper,
};

function paste(here: Folder, slice: Slice) {
  const merged = mergeSlice(read(here), slice);
  if (!merged.ok) throw new Error(merged.error.message);
  const folder = new Map([...here, ...merged.value.files]);
  return { ...merged.value, folder, parsed: readFolder(folder) };
}

const textOf = (folder: Folder, path: string) => {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : undefined;
};

test('a copy in the same project is an agent beside it', () => {
  const here = folderOf(files);
  const slice = sliceOf(read(here), new Set(['.claude/agents/helper.md', 'CLAUDE.md']), new Set());
  expect([...slice.folder.keys()].sort()).toEqual(['.claude/agents/helper.md', '.mcp.json']);
  const { agents, files: added, missing, folder, parsed } = paste(here, slice);
  expect([agents, missing, [...added.keys()]]).toEqual([['helper-2'], [], ['.claude/agents/helper-2.md']]);
  expect(textOf(folder, '.claude/agents/helper-2.md')).toBe(helper.replace('name: helper', 'name: helper-2'));
  expect(parsed.cards.find(({ name }) => name === 'helper-2')).toMatchObject({ servers: ['wiki'] });
});

test('in an empty project the servers come to .mcp.json', () => {
  const here = folderOf({ 'fast-agent.yaml': 'default_model: haiku\n' });
  const slice = sliceOf(read(folderOf(files)), new Set(['.claude/agents/helper.md']), new Set());
  const { servers, parsed } = paste(here, slice);
  expect(servers).toEqual(['wiki']);
  expect(parsed.config).toMatchObject({
    file: '.mcp.json',
    defaultModel: 'haiku',
    servers: { wiki: { command: 'npx' } },
  });
});

test('the text of an agent is pasted as an agent', () => {
  const here = folderOf(files);
  const pasted = readPasted(helper.replace('name: helper', 'name: other'), '.claude/agents');
  if (pasted === undefined) throw new Error('not understood');
  expect(
    paste(here, pasted.slice)
      .parsed.cards.map(({ name }) => name)
      .sort(),
  ).toEqual(['helper', 'main', 'other']);
});

test('a folder is brought without the rules of its main agent, which is said', () => {
  const slice = sliceFolder(read(folderOf(files)));
  if (!slice.ok) throw new Error(slice.error.message);
  const { folder, parsed, missing } = paste(
    folderOf({ '.claude/agents/a.md': helper.replace('helper', 'a') }),
    slice.value,
  );
  expect(folder.has('CLAUDE.md')).toBe(false);
  expect(missing).toMatchObject([expect.stringContaining("'CLAUDE.md' did not come along")]);
  expect(Object.keys(parsed.config.servers)).toEqual(['wiki']);
});

test.each([
  ['AgentCards', { 'agent-cards/x.md': '---\nname: x\n---\nWork.\n' }, files],
  ['agents of Claude Code', files, { 'agent-cards/x.md': '---\nname: x\n---\nWork.\n' }],
])('%s are refused in a project with agents of another format', (format, there, here) => {
  const slice = sliceFolder(read(folderOf(there)));
  if (!slice.ok) throw new Error(slice.error.message);
  const merged = mergeSlice(read(folderOf(here)), slice.value);
  expect(merged).toMatchObject({ ok: false, error: { message: expect.stringContaining(`What comes has ${format}`) } });
});
