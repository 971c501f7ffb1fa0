import { expect, test } from 'vitest';
import { textFile } from './document';
import { agentWords, edgeLabel, edgeWord, nodeLabel, wireHint, wireWords } from './graph-words';
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

test('a workflow is named by its kind and by how it uses its members', () => {
  const words = (type: 'chain' | 'evaluator_optimizer' | 'MAKER' | 'a2a', said: string | undefined) =>
    agentWords({ type, workflow: { words: said, sign: undefined } });
  expect(words('chain', '3 steps in order')).toBe('chain · 3 steps in order');
  expect(words('evaluator_optimizer', undefined)).toBe('evaluator optimizer');
  expect(words('MAKER', 'first to lead by 3')).toBe('MAKER · first to lead by 3');
  expect(words('a2a', 'agents.example.com')).toBe('remote · agents.example.com');
});

test('a wire says in words only what its look does not', () => {
  expect(wireWords({ kind: 'sequence', marks: ['cumulative'] })).toEqual([]);
  expect(wireWords({ kind: 'generator', marks: ['≤ 3 refinements'] })).toEqual(['generator']);
  expect(wireWords({ kind: 'fan_in', marks: ['with request'] })).toEqual(['fan-in', 'with request']);
  expect(wireWords({ kind: 'delegation', marks: ['sessions'] })).toEqual(['sessions']);
});

test('a wire to an agent that may be called by name says how', () => {
  const wire = (marks: readonly string[]) =>
    ({ id: '', kind: 'may_call', source: 'agent:lead', target: 'agent:pal', order: undefined, marks }) as const;
  expect(wireWords(wire(['≤ 5 s']))).toEqual(['may call', '≤ 5 s']);
  expect(edgeLabel(wire([]))).toBe('permission of lead to call pal');
  expect(wireHint(wire([]))).toBe('lead may call pal with worker_call. pal is not one of its children.');
  expect(wireHint(wire(['as a tool']))).toContain('as a tool of its own');
  expect(wireHint({ ...wire([]), kind: 'delegation' })).toBeUndefined();
});
