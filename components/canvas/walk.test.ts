import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { textFile } from '@/lib/editor/document';
import { projectGraph } from '@/lib/graph/project';
import { graphOf } from '@/lib/testing/graph-of';
import { nextAfter, walk } from './walk';

const card = (name: string, kids: string) =>
  [`${name}.md`, textFile(`---\nname: ${name}\nagents: [${kids}]\n---\nWork.\n`)] as const;
const graph = projectGraph(readFolder(new Map([card('lead', 'a, b'), card('a', ''), card('b', '')])));
const points = { 'agent:lead': { x: 0, y: 50 }, 'agent:a': { x: 300, y: 0 }, 'agent:b': { x: 300, y: 100 } };

test('right follows an edge, left goes back, up and down move among siblings', () => {
  const right = walk(graph, points, 'agent:lead', 'right');
  expect(right).toBe('agent:a');
  expect(walk(graph, points, 'agent:a', 'down')).toBe('agent:b');
  expect(walk(graph, points, 'agent:b', 'up')).toBe('agent:a');
  expect(walk(graph, points, 'agent:b', 'left')).toBe('agent:lead');
  expect(walk(graph, points, 'agent:b', 'right')).toBeUndefined();
});

test('in a grid of children down stays in the column, then goes to the top of the next', () => {
  const team = projectGraph(
    readFolder(new Map([card('lead', 'a, b, c, d'), card('a', ''), card('b', ''), card('c', ''), card('d', '')])),
  );
  const grid = {
    'agent:lead': { x: 0, y: 50 },
    'agent:a': { x: 300, y: 0 },
    'agent:b': { x: 300, y: 100 },
    'agent:c': { x: 600, y: 0 },
    'agent:d': { x: 600, y: 100 },
  };
  expect(walk(team, grid, 'agent:c', 'down')).toBe('agent:d');
  expect(walk(team, grid, 'agent:b', 'down')).toBe('agent:c');
  expect(walk(team, grid, 'agent:c', 'up')).toBe('agent:b');
  expect(walk(team, grid, 'agent:d', 'down')).toBeUndefined();
});

test('after a removal comes a parent, a child, or the next node', () => {
  const team = projectGraph(graphOf('lead > writer, critic; writer > helper; lone'));
  const next = (...names: string[]) =>
    nextAfter(
      team,
      names.map((name) => `agent:${name}`),
    );
  expect(next('helper')).toBe('agent:writer');
  expect(next('writer', 'helper')).toBe('agent:lead');
  expect(next('lead')).toBe('agent:writer');
  expect(next('lone')).toBe('agent:helper');
  expect(next('lead', 'writer', 'critic', 'helper', 'lone')).toBeUndefined();
});
