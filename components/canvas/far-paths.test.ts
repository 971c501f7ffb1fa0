import { expect, test } from 'vitest';
import { readFolder } from '@/lib/cards/project/read-folder';
import { textFile } from '@/lib/editor/document';
import { fanWays } from '@/lib/graph/fans';
import { flowsOf } from '@/lib/graph/flows';
import { projectGraph } from '@/lib/graph/project';
import { agentSize } from '@/lib/graph/size';
import { farWires } from './far-paths';
import { flowLines, flowNodes, wireEdges } from './flow-model';

const card = (name: string, fields: string) => textFile(`---\nname: ${name}\n${fields}---\nWork.\n`);
const graph = projectGraph(
  readFolder(
    new Map([
      ['lead.md', card('lead', 'agents: [all]\nservers: [time]\n')],
      ['all.md', card('all', 'type: parallel\nfan_out: [a, b]\nfan_in: join\n')],
      ...['a', 'b', 'join'].map((name) => [`${name}.md`, card(name, '')] as const),
    ]),
  ),
);
const points = Object.fromEntries(graph.nodes.map((node, index) => [node.id, { x: index * 300, y: index * 40 }]));
const flows = flowsOf(graph.edges);
const nodes = flowNodes(graph, points, [], []);
const edges = [
  ...wireEdges(graph.edges, fanWays(graph, points), flows, undefined, []),
  ...flowLines(graph, points, flows, undefined),
];

test('every wire and flow between nodes is a line of its colour', () => {
  const lines = farWires(edges, nodes);
  expect(lines).toHaveLength(edges.length);
  const colours = Object.fromEntries(lines.map(({ edge, colour }) => [edge, colour]));
  expect(colours['delegation:agent:lead→agent:all']).toBe('--agent');
  expect(colours['uses:agent:lead→server:time']).toBe('--line-strong');
  expect(colours['fan_in:agent:all→agent:join']).toBe('--model');
  for (const { path } of lines) expect(path).toMatch(/^M-?\d[-\d.,MLCQV ]*$/);
});

test('a line begins and ends where the wire does', () => {
  const [line] = farWires(
    edges.filter(({ id }) => id === 'delegation:agent:lead→agent:all'),
    nodes,
  );
  const [from, to] = [points['agent:lead'], points['agent:all']].map((point) => point ?? { x: 0, y: 0 });
  expect(line?.path.startsWith(`M${(from?.x ?? 0) + agentSize.width + 4.5},${(from?.y ?? 0) + 32}`)).toBe(true);
  expect(line?.path.endsWith(`${(to?.x ?? 0) - 4.5},${(to?.y ?? 0) + 32}`)).toBe(true);
});

test('a wire of a node that is not on the canvas is left out', () => {
  expect(farWires(edges, nodes.slice(0, 1))).toEqual([]);
});
