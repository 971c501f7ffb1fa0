import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { projectGraph } from '@/lib/graph/project';
import { copyNodes, readCopied, readPasted } from './clipboard';
import { textAt } from './document';

const folder = folderOf({
  'cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nWork.\n',
  'cards/kid.md': '---\nname: kid\n---\nWork.\n',
});
const parsed = readFolder(folder);
const copy = (ids: string[]) => copied({ folder, parsed }, ids)?.text;

function copied(project: ReadProject, ids: string[]) {
  const read = copyNodes(project, projectGraph(project.parsed), ids);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

test('copied agents are read again, as cards that people can read too', () => {
  const text = copy(['agent:kid']) ?? '';
  expect(JSON.parse(text)).toMatchObject({ 'callboard/agents': { 'cards/kid.md': '---\nname: kid\n---\nWork.\n' } });
  expect([...(readCopied(text)?.folder.keys() ?? [])]).toEqual(['cards/kid.md']);
});

test('agents that an earlier version copied are read', () => {
  const { folder: read, beside } = readCopied('{"callboard/agents": {"a.md": "---\\nname: a\\n---\\n"}}') ?? {};
  expect([[...(read?.keys() ?? [])], beside]).toEqual([['a.md'], { files: [], secrets: [] }]);
});

test('a second config, files with secrets and folders that are no part of a project are not taken from a text', () => {
  const files = { 'fast-agent.yaml': '', '.fast-agent/fast-agent.yaml': '', '.env': '', '.git/config': '', 'a.md': '' };
  const read = readCopied(JSON.stringify({ 'callboard/agents': files }));
  expect([...(read?.folder.keys() ?? [])]).toEqual(['fast-agent.yaml', 'a.md']);
});

test.each([
  ['other text', 'hello'],
  ['a path that leads out of the project', '{"callboard/agents": {"../x.md": "---\\nname: x\\n---\\n"}}'],
  ['files that are not text', '{"callboard/agents": {"x.md": 1}}'],
  ['parts beside the files that are none', '{"callboard/agents": {"x.md": ""}, "beside": {"files": 3}}'],
])('%s is not copied agents', (_, text) => {
  expect(readCopied(text)).toBeUndefined();
});

test('an agent that a card names and no file has is not copied, so a cut does not take it away', () => {
  const files = folderOf({ 'lead.md': '---\nname: lead\nagents: [lost]\n---\nWork.\n' });
  const read = readFolder(files);
  expect(copied({ folder: files, parsed: read }, ['agent:lead', 'agent:lost'])?.ids).toEqual(['agent:lead']);
});

test('without an agent or a configured server there is nothing to copy', () => {
  expect(copy(['server:x', 'note:n1'])).toBeUndefined();
});

test('a server is copied without an agent, and one with values in a secrets file is not', () => {
  const servers =
    'mcp:\n  servers:\n    time: { command: node }\n    bank: { command: bank }\n    other: { command: other }\n';
  const more = folderOf({
    'fast-agent.yaml': servers,
    'fastagent.secrets.yaml': 'mcp:\n  servers:\n    bank: { env: { KEY: hidden } }\n',
    'callboard.yaml': 'version: 1\nrun_hooks: [audit.ts:log]\nmcp:\n  servers:\n    time: { timeout_ms: 9 }\n',
  });
  const all = new Map([...folder, ...more]);
  const read = readFolder(all);
  const both = copied({ folder: all, parsed: read }, ['server:time', 'server:bank', 'note:n1']);
  expect(both?.ids).toEqual(['server:time', 'note:n1']);
  const slice = readCopied(both?.text ?? '')?.folder;
  expect([...(slice?.keys() ?? [])].sort()).toEqual(['callboard.yaml', 'fast-agent.yaml']);
  expect(textAt(slice ?? new Map(), 'callboard.yaml')).not.toContain('run_hooks');
});

test('the text of a card gets a path where the cards of the project are', () => {
  const read = (directory: string) => [...(readPasted('---\nname: poet\n---\n', directory)?.slice.folder.keys() ?? [])];
  expect([...read('team/cards'), ...read('')]).toEqual(['team/cards/poet.md', 'poet.md']);
});

test('the text of a card is a new agent, and other texts are none', () => {
  const read = (text: string) => [...(readPasted(text, 'agent-cards')?.slice.folder.keys() ?? [])];
  expect(read('---\nname: poet\n---\nWrite.\n')).toEqual(['agent-cards/poet.md']);
  expect([read('---\n[\n---\n'), read('--- a\n+++ b\n'), read('Write.')]).toEqual([[], [], []]);
});
