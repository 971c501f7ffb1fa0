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
