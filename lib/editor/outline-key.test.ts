import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { textFile } from './document';
import { outlineRows } from './outline';
import { outlineKey } from './outline-key';

const cards = { lead: ['a', 'b'], a: ['c'], b: ['c'], c: [] };
const graph = projectGraph(
  readFolder(
    new Map(
      Object.entries(cards).map(([name, kids]) => [
        `${name}.md`,
        textFile(`---\nname: ${name}\nagents: [${kids.join(', ')}]\n---\nWork.\n`),
      ]),
    ),
  ),
);
/** The rows with `b` closed: lead, a, c, b. */
const rows = outlineRows(graph, new Set(['agent:lead/agent:b']));

/** What a key does on a row, in a word; a row is told by its label. */
function press(key: string, label: string): string | undefined {
  const row = rows.find((one) => one.label === label);
  if (row === undefined) throw new Error(`no row ${label}`);
  const act = outlineKey(key, rows, row);
  if (act?.do === 'focus') return act.row?.label ?? 'nothing';
  return act?.do === 'toggle' ? (act.open ? 'opens' : 'closes') : act?.do;
}

test('arrows walk the rows that show', () => {
  expect(rows.map((row) => row.label)).toEqual(['lead', 'a', 'c', 'b']);
  expect([press('ArrowDown', 'lead'), press('ArrowUp', 'b'), press('ArrowDown', 'b')]).toEqual(['a', 'c', 'nothing']);
  expect([press('Home', 'c'), press('End', 'lead')]).toEqual(['lead', 'b']);
});

test('right opens a row or goes into it, left closes it or goes to its parent', () => {
  expect([press('ArrowRight', 'b'), press('ArrowRight', 'a')]).toEqual(['opens', 'c']);
  expect([press('ArrowLeft', 'a'), press('ArrowLeft', 'c'), press('ArrowLeft', 'b')]).toEqual(['closes', 'a', 'lead']);
  expect(press('ArrowRight', 'c')).toBeUndefined();
});

test('other keys edit, and what the outline does not use stays with the browser', () => {
  expect(['Enter', ' ', 'F2', 'Delete', 'n', 'N', 'x', 'Tab'].map((key) => press(key, 'a'))).toEqual([
    'open',
    'select',
    'rename',
    'remove',
    'add',
    'add',
    undefined,
    undefined,
  ]);
});
