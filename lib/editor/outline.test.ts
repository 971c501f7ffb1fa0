import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { textFile, withChanges } from './document';
import { outlineRows, rowsTo, sameOutline } from './outline';
import { drawPicture } from './picture';

function graph(agents: Record<string, readonly string[]>) {
  const files = Object.entries(agents).map(
    ([name, kids]) =>
      [`${name}.md`, textFile(`---\nname: ${name}\nagents: [${kids.join(', ')}]\n---\nWork.\n`)] as const,
  );
  return projectGraph(readFolder(new Map(files)));
}
const shown = (agents: Record<string, readonly string[]>, closed: string[] = []) =>
  outlineRows(graph(agents), new Set(closed)).map((row) => `${'  '.repeat(row.depth)}${row.label}`);

test('hangs children under their parents, and a shared child under each', () => {
  expect(shown({ lead: ['a', 'b'], a: ['c'], b: ['c'], c: [] })).toEqual(['lead', '  a', '    c', '  b', '    c']);
});

test('a closed row hides what is under it without making it a root', () => {
  expect(shown({ lead: ['a'], a: [], other: [] }, ['agent:lead'])).toEqual(['lead', 'other']);
});

test('the rows above an agent are known, also where they are closed', () => {
  const team = graph({ lead: ['a', 'b'], a: ['c'], b: ['d'], c: [], d: [] });
  const way = rowsTo(team, 'agent:d');
  expect(way).toEqual(['agent:lead', 'agent:lead/agent:b', 'agent:lead/agent:b/agent:d']);
  expect(rowsTo(team, 'agent:lead')).toEqual(['agent:lead']);
  expect(rowsTo(team, 'agent:gone')).toEqual([]);
});

test('leaves out no agent of a circle and comes to an end', () => {
  expect(shown({ a: ['b'], b: ['a'] })).toEqual(['a', '  b', '    a']);
});

test('agents that may be called by name come after the children, and have their own rows', () => {
  const card = (name: string, fields = '') => textFile(`---\nname: ${name}\n${fields}---\nWork.\n`);
  const called = projectGraph(
    readFolder(
      new Map([
        ['lead.md', card('lead', 'agents: [a]\n')],
        ['a.md', card('a')],
        ['b.md', card('b', 'agents: [a]\n')],
        ['callboard.yaml', textFile('version: 1\ntoolsets: { lead: { delegation: { allow_workers: [b] } } }\n')],
      ]),
    ),
  );
  const rows = outlineRows(called, new Set());
  expect(rows.map(({ depth, label, mayCall }) => [depth, label, mayCall])).toEqual([
    [0, 'b', undefined],
    [1, 'a', undefined],
    [0, 'lead', undefined],
    [1, 'a', undefined],
    [1, 'b', 'may_call:agent:lead→agent:b'],
  ]);
  expect(outlineRows(called, new Set(['agent:lead'])).map(({ label }) => label)).toEqual(['b', 'a', 'lead']);
});

test('typing in a card keeps the tree, so that no row is made anew', () => {
  const texts = { 'lead.md': '---\nname: lead\nagents: [kid]\n---\n', 'kid.md': '---\nname: kid\n---\nWork.\n' };
  const folder = folderOf(texts);
  const before = drawPicture(folder, undefined);
  const typed = (from: string, to: string) => {
    const text = texts['kid.md'].replace(from, to);
    return drawPicture(withChanges(folder, new Map([['kid.md', textFile(text)]])), before).graph;
  };
  expect(sameOutline(before.graph, typed('name: kid', 'name: kid\ndescription: Helps.'))).toBe(true);
  expect(sameOutline(before.graph, typed('name: kid', 'name: child'))).toBe(false);
  expect(sameOutline(before.graph, typed('name: kid', 'name: kid\nagents: [lead]'))).toBe(false);
});
