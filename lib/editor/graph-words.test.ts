import { expect, test } from 'vitest';
import { textFile } from './document';
import { edgeLabel, edgeWord, nodeLabel } from './graph-words';
import { drawPicture } from './picture';

const lead = '---\nname: lead\nagents: [writer, critic]\nservers: [search]\n---\nLead.\n';
const { graph } = drawPicture(
  new Map([
    ['lead.md', textFile(lead)],
    ['writer.md', textFile('---\nname: writer\n---\nWrite.\n')],
  ]),
  undefined,
);

test('nodes are named with what they are, and with what is missing', () => {
  expect(graph.nodes.map(nodeLabel).sort()).toEqual([
    'critic, missing agent',
    'lead, agent',
    'search, MCP server, not configured',
    'writer, agent',
  ]);
});

test('edges are named by their ends; only a special kind has a word on its wire', () => {
  expect(graph.edges.map(edgeLabel).sort()).toEqual([
    'delegation from lead to critic',
    'delegation from lead to writer',
    'uses from lead to search',
  ]);
  expect([edgeWord('delegation'), edgeWord('uses')]).toEqual([undefined, undefined]);
});
