import { expect, test } from 'vitest';
import type { Folder } from '@/lib/cards/folder';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { copyAgents, pasteAgents } from './clipboard';
import { textFile, withChanges } from './document';

const card = (name: string, more = '') => textFile(`---\nname: ${name}\n${more}---\nWork.\n`);
const folder: Folder = new Map([
  ['cards/lead.md', card('lead', 'default: true\nagents: [kid, other]\n')],
  ['cards/kid.md', card('kid')],
  ['cards/other.md', card('other')],
]);
const copy = (from: Folder, ids: string[]) => copyAgents(from, projectGraph(readFolder(from)), ids) ?? '';

function paste(into: Folder, text: string) {
  const pasted = pasteAgents(into, text);
  if (pasted === undefined || !pasted.ok) throw new Error('not pasted');
  const after = readFolder(withChanges(into, pasted.value.changes));
  return { paths: [...pasted.value.changes.keys()], ids: pasted.value.ids, cards: after.cards };
}

test('copies get free names, and references among them follow', () => {
  const { paths, ids, cards } = paste(folder, copy(folder, ['agent:lead', 'agent:kid']));
  expect(paths).toEqual(['cards/kid-2.md', 'cards/lead-2.md']);
  expect(ids).toEqual(['agent:kid-2', 'agent:lead-2']);
  const lead = cards.find((one) => one.name === 'lead-2');
  expect(lead?.type === 'agent' ? lead.agents : []).toEqual(['kid-2', 'other']);
  expect(lead?.isDefault).toBe(false);
});

test('in another project names and paths stay as they were', () => {
  expect(paste(new Map(), copy(folder, ['agent:kid']))).toMatchObject({ paths: ['cards/kid.md'], ids: ['agent:kid'] });
});

test('refuses text that is not ours or leads out of the project', () => {
  expect(pasteAgents(folder, 'hello')).toBeUndefined();
  expect(pasteAgents(folder, '{"callboard/agents": {"../x.md": "---\\nname: x\\n---\\n"}}')).toBeUndefined();
  expect(copyAgents(folder, projectGraph(readFolder(folder)), ['server:x'])).toBeUndefined();
});
