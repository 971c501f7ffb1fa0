import { expect, test } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import type { GraphNode } from './graph';
import { projectGraph } from './project';
import { sameDrawing } from './same-drawing';

const graph = projectGraph(graphOf('lead > writer, critic'));
const withFirst = (change: object) => ({
  ...graph,
  nodes: graph.nodes.map((node, at) => (at === 0 ? ({ ...node, ...change } as GraphNode) : node)),
});

test('other words of nodes are the same drawing', () => {
  expect(sameDrawing(graph, graph)).toBe(true);
  expect(sameDrawing(graph, withFirst({ description: 'Leads.', model: 'gpt-5' }))).toBe(true);
});

test.each([
  ['a name', { name: 'boss' }],
  ['a type', { type: 'chain' }],
  ['a missing card', { missing: true }],
  ['a default agent', { isDefault: true }],
  ['the words of a workflow', { workflow: { words: '3 steps', sign: undefined } }],
  ['a mark of its workers', { workers: { everyone: true, creates: false } }],
  ['a kind', { kind: 'server' }],
])('%s is another drawing', (_, change) => {
  expect(sameDrawing(graph, withFirst(change))).toBe(false);
});

test('other wires, hooks or nodes are another drawing', () => {
  expect(sameDrawing(graph, { ...graph, edges: [...graph.edges] })).toBe(false);
  expect(sameDrawing(graph, { ...graph, chains: {} })).toBe(false);
  expect(sameDrawing(graph, { ...graph, nodes: graph.nodes.slice(1) })).toBe(false);
});
