import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { textFile } from './document';
import { outlineRows } from './outline';

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
