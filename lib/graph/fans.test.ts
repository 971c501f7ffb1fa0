import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCard, graphOf } from '@/lib/testing/graph-of';
import { tries } from '@/lib/testing/tries';
import { fanWays, leafFans } from './fans';
import type { Graph, NodeId, Point } from './graph';
import { hookChain } from './hook-chain';
import { layoutGraph } from './layout';
import { projectGraph } from './project';
import { nodeSize, outletWidth } from './size';

const names = (count: number) => Array.from({ length: count }, (_, index) => `kid${index + 1}`);
const star = (count: number) => projectGraph(graphOf(`lead > ${names(count).join(', ')}`));

/** Pairs of nodes that touch, hook chains included. */
function overlaps(graph: Graph, points: Readonly<Record<NodeId, Point>>): string[] {
  const boxes = graph.nodes.map((node) => {
    const { width, height } = nodeSize(node);
    const at = points[node.id] ?? { x: 0, y: 0 };
    return { id: node.id, ...at, width: width + outletWidth(graph, node), height };
  });
  return boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
      .map((b) => `${a.id} ${b.id}`),
  );
}

function extent(graph: Graph, points: Readonly<Record<NodeId, Point>>): { width: number; height: number } {
  const at = graph.nodes.map((node) => points[node.id] ?? { x: 0, y: 0 });
  const span = (values: number[]) => Math.max(...values) - Math.min(...values);
  return { width: span(at.map(({ x }) => x)) + 224, height: span(at.map(({ y }) => y)) + 64 };
}

describe('leafFans', () => {
  it('finds many children without children of their own, in the order they are declared', () => {
    expect(leafFans(star(12))).toEqual([]);
    expect(leafFans(star(13)).map((fan) => fan.leaves.map(({ name }) => name))).toEqual([names(13)]);
  });

  it('keeps children apart that have children or other parents', () => {
    const graph = projectGraph(graphOf(`lead > other, ${names(15).join(', ')}; kid1 > grandchild; other > kid2`));
    expect(leafFans(graph).map((fan) => fan.leaves.map(({ name }) => name))).toEqual([names(15).slice(2)]);
  });

  it('takes children that share all parents and a server', () => {
    const cards = Object.fromEntries(names(14).map((name) => [name, { servers: ['files'] }]));
    const list = names(14).join(', ');
    const graph = projectGraph(graphOf(`root > lead, deputy; lead > ${list}; deputy > ${list}`, { cards }));
    expect(leafFans(graph).map((fan) => fan.leaves.length)).toEqual([14]);
  });
});

describe('the layout of a fan', () => {
  it.each([13, 50, 200, 1000])('%i children fill a grid about as wide as a screen', async (count) => {
    const graph = star(count);
    const points = await layoutGraph(graph, {});
    const { width, height } = extent(graph, points);
    expect(width / height).toBeGreaterThan(1);
    expect(width / height).toBeLessThan(3.2);
    for (const { id } of graph.nodes.slice(1))
      expect(points[id]?.x).toBeGreaterThan((points['agent:lead']?.x ?? 0) + 224);
    expect(await layoutGraph(graph, {})).toEqual(points);
  });

  it('covers nothing, whatever else is in the graph', async () => {
    const graphs = fc.record({
      leaves: fc.integer({ min: 0, max: 40 }),
      second: fc.integer({ min: 0, max: 20 }),
      links: fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 6 }),
      servers: fc.array(fc.nat(59), { maxLength: 30 }),
      hooked: fc.array(fc.nat(59), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(graphs, async ({ leaves, second, links, servers, hooked }) => {
        const all = names(leaves + second);
        const lines = [`lead > deputy, ${all.slice(0, leaves).join(',')}`, `deputy > ${all.slice(leaves).join(',')}`];
        for (const [from, to] of links) if (all[from] && all[to]) lines.push(`${all[from]} > ${all[to]}`);
        const cards = Object.fromEntries(
          all.map((name, index) => [name, { servers: servers.includes(index) ? ['files'] : [] }]),
        );
        const graph = projectGraph(graphOf(lines.join(';'), { cards }));
        const code = { spec: 'h.py:h', file: 'h.py', functionName: 'h' };
        const chain = hookChain(
          agentCard('any', { toolHooks: { form: 'chain', chain: [code, code] } }),
          graphOf('any'),
        );
        const chains = Object.fromEntries(hooked.flatMap((at) => (all[at] ? [[`agent:${all[at]}`, chain]] : [])));
        const hookedGraph = { ...graph, chains };
        const points = await layoutGraph(hookedGraph, {});
        expect(overlaps(hookedGraph, points)).toEqual([]);
      }),
      { numRuns: tries(60) },
    );
  });
});

describe('fanWays', () => {
  it('leads wires past the first column through the gutter above their row', async () => {
    const graph = star(13);
    const points = await layoutGraph(graph, {});
    const ways = fanWays(graph, points);
    const first = points['agent:kid1'];
    const last = points['agent:kid13'];
    const trunkX = (first?.x ?? 0) - 32;
    expect(ways.get('delegation:agent:lead→agent:kid1')).toEqual({ into: { trunkX, gutterY: undefined } });
    expect(ways.get('delegation:agent:lead→agent:kid13')).toEqual({ into: { trunkX, gutterY: (last?.y ?? 0) - 14 } });
  });

  it('leaves a fan alone that stands in one column', () => {
    const graph = star(20);
    const column = Object.fromEntries(graph.nodes.map(({ id }, index) => [id, { x: 0, y: index * 100 }]));
    expect(fanWays(graph, column).size).toBe(0);
  });
});
