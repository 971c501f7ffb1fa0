import { expect, test } from 'vitest';
import type { GraphNode } from '@/lib/graph/graph';
import { projectGraph } from '@/lib/graph/project';
import { agentSize } from '@/lib/graph/size';
import { graphOf } from '@/lib/testing/graph-of';
import { flowLines, flowNodes, wireEdges } from './flow-model';

const graph = projectGraph(graphOf('lead > writer, critic'));
const idOf = (name: string) => graph.nodes.find((node) => node.kind === 'agent' && node.name === name)?.id ?? name;
const [lead, writer] = [idOf('lead'), idOf('writer')];
const points = Object.fromEntries(graph.nodes.map((node, index) => [node.id, { x: index * 100, y: 0 }]));
const drawn = flowNodes(graph, points, [], []);

const renderedAgain = (next: readonly { id: string }[], before: readonly object[]) =>
  next.filter((each) => !before.includes(each)).map((each) => each.id);

test('nothing renders again when nothing has changed', () => {
  expect(renderedAgain(flowNodes(graph, points, [], drawn), drawn)).toEqual([]);
  const wires = wireEdges(graph.edges, new Map(), [], undefined, []);
  expect(wires).toHaveLength(2);
  expect(renderedAgain(wireEdges(graph.edges, new Map(), [], undefined, wires), wires)).toEqual([]);
});

test.each([
  { x: 7, y: 0 },
  { x: 0, y: 8 },
])('a node that moves by $x and $y renders again, alone, and has the size it is drawn with', (by) => {
  const from = points[writer] ?? { x: 0, y: 0 };
  const position = { x: from.x + by.x, y: from.y + by.y };
  const next = flowNodes(graph, { ...points, [writer]: position }, [], drawn);
  expect(renderedAgain(next, drawn)).toEqual([writer]);
  expect(next.find((node) => node.id === writer)).toMatchObject({ position, measured: agentSize });
});

test('a changed node renders again, and so do nodes whose hooks changed', () => {
  const change = (node: GraphNode): GraphNode =>
    node.id === writer && node.kind === 'agent' ? { ...node, missing: true } : node;
  const changed = { ...graph, nodes: graph.nodes.map(change), chains: { ...graph.chains, [lead]: [] } };
  expect(renderedAgain(flowNodes(changed, points, [], drawn), drawn).sort()).toEqual([lead, writer].sort());
});

test('words that are typed into a card change no node of React Flow', () => {
  const type = (node: GraphNode): GraphNode =>
    node.id === writer && node.kind === 'agent' ? { ...node, description: 'Writes.', model: 'gpt-5' } : node;
  expect(renderedAgain(flowNodes({ ...graph, nodes: graph.nodes.map(type) }, points, [], drawn), drawn)).toEqual([]);
});

test('the names that a screen reader says of nodes and wires hide no characters', () => {
  const hostile = projectGraph(graphOf('lead > wri\u202eter'));
  const nodes = flowNodes(hostile, {}, [], []).map(({ ariaLabel }) => ariaLabel);
  const wires = wireEdges(hostile.edges, new Map(), [], undefined, []).map(({ ariaLabel }) => ariaLabel);
  expect(nodes).toContainEqual(expect.stringMatching(/^wri\\u\{202e\}ter, /));
  expect(wires).toEqual(['delegation from lead to wri\\u{202e}ter']);
});

test('the canvas has one tab stop: the first node, or those that are selected', () => {
  const stops = (nodes: typeof drawn) => nodes.filter((node) => node.focusable).map((node) => node.id);
  expect(stops(drawn)).toEqual([graph.nodes[0]?.id]);
  const selected = flowNodes(graph, points, [writer], drawn);
  expect([stops(selected), selected.filter((node) => node.selected).map((node) => node.id)]).toEqual([
    [writer],
    [writer],
  ]);
});

test('a wire renders again when it is selected, or gets another way', () => {
  const wires = wireEdges(graph.edges, new Map(), [], undefined, []);
  const [first, second] = graph.edges.map((edge) => edge.id);
  if (first === undefined || second === undefined) throw new Error('The graph has two wires.');
  expect(renderedAgain(wireEdges(graph.edges, new Map(), [], first, wires), wires)).toEqual([first]);
  const ways = (trunkX: number) => new Map([[second, { into: undefined, outOf: { trunkX, gutterY: 1 } }]]) as never;
  const routed = wireEdges(graph.edges, ways(1), [], undefined, wires);
  expect(renderedAgain(routed, wires)).toEqual([second]);
  expect(renderedAgain(wireEdges(graph.edges, ways(1), [], undefined, routed), routed)).toEqual([]);
  expect(renderedAgain(wireEdges(graph.edges, ways(2), [], undefined, routed), routed)).toEqual([second]);
});

test('a flow to a node that is not drawn has no line', () => {
  const flow = { id: 'f', kind: 'step', source: lead, target: 'agent:gone', edge: 'e' };
  const flows = [flow, { ...flow, id: 'g', target: writer }] as never;
  expect(flowLines(graph, points, flows, 'e').map(({ id, selected }) => [id, selected])).toEqual([['g', true]]);
});
