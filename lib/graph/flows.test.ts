import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { flowsOf } from './flows';
import { projectGraph } from './project';

const card = (fields: string) => `---\n${fields}\n---\nDo it.\n`;
const members = { 'a.md': card('name: a'), 'b.md': card('name: b'), 'c.md': card('name: c') };

/** `next a→b (label)` */
function flows(workflow: string): string[] {
  const { edges } = projectGraph(readFolder(folderOf({ ...members, 'w.md': card(workflow) })));
  return flowsOf(edges).map(({ kind, source, target, label }) => {
    const ends = `${source.slice('agent:'.length)}→${target.slice('agent:'.length)}`;
    return `${kind} ${ends}${label === undefined ? '' : ` (${label})`}`;
  });
}

test('the steps of a chain follow each other; one that is repeated at once has no arrow to itself', () => {
  expect(flows('type: chain\nsequence: [c, a, b]')).toEqual(['next c→a', 'next a→b']);
  expect(flows('type: chain\nsequence: [a, b, a, a]')).toEqual(['next a→b', 'next b→a']);
  expect(flows('type: chain\nsequence: [a]')).toEqual([]);
  expect(flows('type: chain\nsequence: [a, b]\ncumulative: true')).toEqual(['next a→b (all answers so far)']);
});

test('the answers of the branches meet at the fan-in, unless there is none', () => {
  expect(flows('type: parallel\nfan_out: [a, b]\nfan_in: c')).toEqual(['join a→c', 'join b→c']);
  expect(flows('type: parallel\nfan_out: [a, c]\nfan_in: c')).toEqual(['join a→c']);
  expect(flows('type: parallel\nfan_out: [a, b]')).toEqual([]);
});

test('generator and evaluator make a loop with its limits', () => {
  expect(flows('type: evaluator_optimizer\ngenerator: a\nevaluator: b\nmax_refinements: 1')).toEqual([
    'draft a→b',
    'feedback b→a (until GOOD, ≤ 1×)',
  ]);
  expect(flows('type: evaluator_optimizer\ngenerator: a\nevaluator: ""')).toEqual([]);
});

test('children and choices have no order, so nothing flows between them', () => {
  expect(flows('agents: [a, b]')).toEqual([]);
  expect(flows('type: router\nagents: [a, b]')).toEqual([]);
});

test('each flow has an id of its own, and the edge whose removal removes it', () => {
  const { edges } = projectGraph(
    readFolder(
      folderOf({
        ...members,
        'w.md': card('type: chain\nsequence: [a, b, a, b]'),
        'x.md': card('type: parallel\nfan_out: [a, b]\nfan_in: c'),
        'y.md': card('type: parallel\nfan_out: [a, b]\nfan_in: c'),
      }),
    ),
  );
  const all = flowsOf(edges);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const known = new Set(edges.map(({ id }) => id));
  expect(all.filter(({ edge }) => !known.has(edge))).toEqual([]);
});
