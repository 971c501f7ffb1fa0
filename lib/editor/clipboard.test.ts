import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { copyAgents, readCopied, readPasted } from './clipboard';

const folder = folderOf({
  'cards/lead.md': '---\nname: lead\ndefault: true\nagents: [kid]\n---\nWork.\n',
  'cards/kid.md': '---\nname: kid\n---\nWork.\n',
});
const parsed = readFolder(folder);
const copy = (ids: string[]) => copyAgents({ folder, parsed }, projectGraph(parsed), ids);

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

test('without an agent there is nothing to copy', () => {
  expect(copy(['server:x', 'note:n1'])).toBeUndefined();
});

test('the text of a card is a new agent, and other texts are none', () => {
  const read = (text: string) => [...(readPasted(text)?.slice.folder.keys() ?? [])];
  expect(read('---\nname: poet\n---\nWrite.\n')).toEqual(['agent-cards/poet.md']);
  expect([read('---\n[\n---\n'), read('--- a\n+++ b\n'), read('Write.')]).toEqual([[], [], []]);
});
