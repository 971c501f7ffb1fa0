import { expect, test } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { neighboursOf } from './neighbours';
import { projectGraph } from './project';

const graph = projectGraph(graphOf('lead > writer, critic; writer > helper; lone'));

test('the neighbours of a node are its parents and its children, and the wires to them', () => {
  const { nodes, edges } = neighboursOf(graph, ['agent:writer']);
  expect([...nodes].sort()).toEqual(['agent:helper', 'agent:lead']);
  expect([...edges].sort()).toEqual(['delegation:agent:lead→agent:writer', 'delegation:agent:writer→agent:helper']);
});

test('a chosen node is no neighbour of another one, and a lone node has none', () => {
  expect([...neighboursOf(graph, ['agent:lead', 'agent:writer']).nodes].sort()).toEqual([
    'agent:critic',
    'agent:helper',
  ]);
  expect(neighboursOf(graph, ['agent:lone']).nodes.size).toBe(0);
  expect(neighboursOf(graph, []).edges.size).toBe(0);
});
