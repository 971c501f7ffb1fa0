import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from './project';
import { changeRole, moveMember, placeAmong, roleInstead } from './roles';

const members = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.md`, `---\nname: ${name}\n---\n`]));

function given(fields: string) {
  const folder = folderOf({ ...members, 'w.md': `---\n${fields}\n---\n` });
  const parsed = readFolder(folder);
  return { folder, parsed, graph: projectGraph(parsed) };
}

/** The fields of the workflow after a change; `same` if no file changed. */
function after({ folder, parsed, graph }: ReturnType<typeof given>, change: typeof changeRole, edge: string): string {
  const result = change(folder, parsed, graph, edge);
  if (!result.ok) throw new Error(result.error.message);
  const text = result.value.get('w.md');
  expect([...result.value.keys()].filter((path) => path !== 'w.md')).toEqual([]);
  return text === undefined ? 'same' : (text ?? '').replace(/^---\n/, '').replace(/\n---\n$/, '');
}

const earlier: typeof changeRole = (...args) => moveMember(...args, 'earlier');
const later: typeof changeRole = (...args) => moveMember(...args, 'later');

test('a step moves one place, and not beyond the ends', () => {
  const flow = given('name: w\ntype: chain\nsequence:\n  - a # first\n  - b\n  - c');
  expect(after(flow, later, 'sequence:agent:w→agent:a')).toBe(
    'name: w\ntype: chain\nsequence:\n  - b\n  - a # first\n  - c',
  );
  expect(after(flow, earlier, 'sequence:agent:w→agent:c')).toBe(
    'name: w\ntype: chain\nsequence:\n  - a # first\n  - c\n  - b',
  );
  expect(after(flow, earlier, 'sequence:agent:w→agent:a')).toBe('same');
  expect(after(flow, later, 'sequence:agent:w→agent:c')).toBe('same');
});

test('a step that occurs twice moves by its place, not by its name', () => {
  const flow = given('name: w\ntype: chain\nsequence: [a, b, a]');
  expect(after(flow, earlier, 'sequence:agent:w→agent:a#2')).toBe('name: w\ntype: chain\nsequence: [a, a, b]');
});

test('a branch becomes the fan-in, and the former fan-in takes its place', () => {
  const split = given('name: w\ntype: parallel\nfan_out: [a, b]\nfan_in: c');
  expect(after(split, changeRole, 'fan_out:agent:w→agent:a')).toBe(
    'name: w\ntype: parallel\nfan_out: [c, b]\nfan_in: a',
  );
  expect(after(split, changeRole, 'fan_in:agent:w→agent:c')).toBe('name: w\ntype: parallel\nfan_out: [a, b, c]');
  const bare = given('name: w\ntype: parallel\nfan_out: [a, b]');
  expect(after(bare, changeRole, 'fan_out:agent:w→agent:b')).toBe('name: w\ntype: parallel\nfan_out: [a]\nfan_in: b');
});

test('an agent that is branch and fan-in is listed once afterwards', () => {
  const both = given('name: w\ntype: parallel\nfan_out: [a, b]\nfan_in: b');
  expect(after(both, changeRole, 'fan_in:agent:w→agent:b')).toBe('name: w\ntype: parallel\nfan_out: [a, b]');
  expect(after(both, changeRole, 'fan_out:agent:w→agent:a')).toBe('name: w\ntype: parallel\nfan_out: [b]\nfan_in: a');
});

test('generator and evaluator change places, also when one is missing', () => {
  const loop = given('name: w\ntype: evaluator_optimizer\ngenerator: a\nevaluator: b');
  expect(after(loop, changeRole, 'generator:agent:w→agent:a')).toBe(
    'name: w\ntype: evaluator_optimizer\ngenerator: b\nevaluator: a',
  );
  const half = given('type: evaluator_optimizer\nname: w\ngenerator: a');
  expect(after(half, changeRole, 'generator:agent:w→agent:a')).toBe('type: evaluator_optimizer\nname: w\nevaluator: a');
});

test('only members with another role or a place offer one', () => {
  const { graph } = given('name: w\ntype: router\nagents: [a, b]');
  expect(graph.edges.map((edge) => [roleInstead(edge), placeAmong(graph, edge)])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const chain = given('name: w\ntype: chain\nsequence: [a, b]').graph;
  expect(chain.edges.map((edge) => placeAmong(chain, edge))).toEqual([
    { place: 1, of: 2 },
    { place: 2, of: 2 },
  ]);
});
