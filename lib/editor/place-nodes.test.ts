import { expect, test } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { projectGraph } from '@/lib/graph/project';
import { placeNodes } from './place-nodes';

const server = 'mcp:\n  servers:\n    time: { command: node }\n    search: { command: node }\n';
const graphWith = (lead: string, config: string) =>
  projectGraph(readFolder(folderOf({ 'lead.md': `---\nname: lead\n${lead}---\n`, 'fast-agent.yaml': config })));

test('servers that nobody uses yet stand right of the agents, not below them', () => {
  const lead = { 'agent:lead': { x: 40, y: 80 } };
  expect(placeNodes(graphWith('', server), lead, {})).toEqual({
    ...lead,
    'server:time': { x: 360, y: 80 },
    'server:search': { x: 360, y: 184 },
  });
});

test('a node without a place stands right of the agent that uses it; known places stay', () => {
  const known = { 'agent:lead': { x: 0, y: 0 }, 'server:search': { x: 7, y: 300 } };
  const points = placeNodes(graphWith('servers: [time, search]\n', server), {}, known);
  expect(points).toEqual({ ...known, 'server:time': { x: 320, y: 0 } });
});

test('without agents, nodes stand below each other', () => {
  const graph = projectGraph(readFolder(folderOf({ 'fast-agent.yaml': server })));
  expect(placeNodes(graph, {}, {})).toEqual({ 'server:time': { x: 0, y: 0 }, 'server:search': { x: 0, y: 104 } });
});
