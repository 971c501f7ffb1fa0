import { expect, test } from 'vitest';
import { withDetours } from '@/lib/graph/detours';
import { type FanWay, fanWays } from '@/lib/graph/fans';
import type { Graph, NodeId, Point } from '@/lib/graph/graph';
import { layoutGraph } from '@/lib/graph/layout';
import { projectGraph } from '@/lib/graph/project';
import { nodeSize } from '@/lib/graph/size';
import { graphOf } from '@/lib/testing/graph-of';
import { farWires } from './far-paths';
import { flowNodes, wireEdges } from './flow-model';

/** These tests count the wires that run behind boxes which are not at their ends, with and without detours. */

type Points = Readonly<Record<NodeId, Point>>;

function covered(graph: Graph, points: Points, ways: ReadonlyMap<string, FanWay>): string[] {
  return behindAny(graph, points, ways, (wire, node) => node !== wire.source && node !== wire.target);
}

/** Returns the wires that run behind a box. `counts` says whether a box counts for a wire. */
function behindAny(
  graph: Graph,
  points: Points,
  ways: ReadonlyMap<string, FanWay>,
  counts: (wire: { readonly source: string; readonly target: string }, node: string) => boolean = () => true,
): string[] {
  const nodes = flowNodes(graph, points, [], []);
  return wireEdges(graph.edges, ways, [], undefined, []).flatMap((wire) => {
    const [line] = farWires([wire], nodes);
    const way = pointsOn(line?.path ?? '');
    const hit = graph.nodes.some((node) => {
      if (!counts(wire, node.id)) return false;
      const [at, { width, height }] = [points[node.id] ?? { x: 0, y: 0 }, nodeSize(node)];
      return way.some(({ x, y }) => x > at.x + 1 && x < at.x + width - 1 && y > at.y + 1 && y < at.y + height - 1);
    });
    return hit ? [wire.id] : [];
  });
}

/** Returns points along a path of lines and Bézier curves. */
function pointsOn(path: string): Point[] {
  const found: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  for (const [, kind, given = ''] of path.matchAll(/([MLCQ])([^MLCQ]*)/g)) {
    const numbers = given.trim().split(/[ ,]+/).map(Number);
    const corners = numbers.flatMap((x, n) => (n % 2 === 0 ? [{ x, y: numbers[n + 1] ?? 0 }] : []));
    for (let step = 1; kind !== 'M' && step <= 200; step++) found.push(between([at, ...corners], step / 200));
    at = corners.at(-1) ?? at;
  }
  return found;
}

/** De Casteljau's construction. */
function between(corners: readonly Point[], part: number): Point {
  const [first = { x: 0, y: 0 }, ...others] = corners;
  if (others.length === 0) return first;
  const mix = (a: Point, b: Point) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part });
  return between(
    others.map((corner, n) => mix(corners[n] ?? first, corner)),
    part,
  );
}

async function counted(graph: Graph) {
  const points = await layoutGraph(graph, {});
  const ways = fanWays(graph, points);
  const [curves, led] = [covered(graph, points, ways), covered(graph, points, withDetours(graph, points, ways))];
  return { curves: curves.length, detours: led.length };
}

test('a wire past the next column goes around the box that is in its way', () => {
  const graph = projectGraph(graphOf('lead > kid, far; kid > far'));
  const points = { 'agent:lead': { x: 0, y: 0 }, 'agent:kid': { x: 320, y: 0 }, 'agent:far': { x: 640, y: 0 } };
  expect(covered(graph, points, new Map())).toEqual(['delegation:agent:lead→agent:far']);
  const ways = withDetours(graph, points, new Map());
  expect([...ways.keys()]).toEqual(['delegation:agent:lead→agent:far']);
  expect(covered(graph, points, ways)).toEqual([]);
});

test('a wire that leads backwards goes around its own boxes and those between them', () => {
  const graph = projectGraph(graphOf('lead > far; kid'));
  const points = { 'agent:far': { x: 0, y: 0 }, 'agent:kid': { x: 320, y: 0 }, 'agent:lead': { x: 640, y: 0 } };
  const ways = withDetours(graph, points, new Map());
  expect([...ways.values()]).toMatchObject([{ outOf: { isBackwards: true } }]);
  expect(behindAny(graph, points, new Map())).toEqual(['delegation:agent:lead→agent:far']);
  expect(behindAny(graph, points, ways)).toEqual([]);
});

test('a wire to the box below, and one to itself, keep away from boxes', () => {
  const graph = projectGraph(graphOf('lead > below; below > below'));
  const points = { 'agent:lead': { x: 0, y: 0 }, 'agent:below': { x: 0, y: 160 } };
  const ways = withDetours(graph, points, new Map());
  expect([...ways.keys()]).toEqual(['delegation:agent:lead→agent:below']);
  expect(behindAny(graph, points, ways)).not.toContain('delegation:agent:lead→agent:below');
});

test('a wire bends between two columns whose gaps are at different heights', () => {
  const rows = Array.from({ length: 25 }, (_, row) => row);
  const agents = rows.flatMap((row) => [...(row === 15 ? [] : [`k${row}`]), ...(row === 9 ? [] : [`m${row}`])]);
  const graph = projectGraph(graphOf(`lead > far; ${agents.join('; ')}`));
  const column = (letter: string, x: number) =>
    Object.fromEntries(rows.map((row) => [`agent:${letter}${row}`, { x, y: (row - 12) * 60 }]));
  const ends = { 'agent:lead': { x: 0, y: 0 }, 'agent:far': { x: 960, y: 0 } };
  const points = { ...ends, ...column('k', 320), ...column('m', 640) };
  const wire = 'delegation:agent:lead→agent:far';
  expect(covered(graph, points, new Map())).toContain(wire);
  const ways = withDetours(graph, points, new Map());
  expect(ways.get(wire)?.around?.length).toBeGreaterThan(4);
  expect(covered(graph, points, ways)).toEqual([]);
});

test('two wires through one gap take two strips', () => {
  const graph = projectGraph(graphOf('lead > kid, far, further; kid'));
  const points = {
    'agent:lead': { x: 0, y: 0 },
    'agent:kid': { x: 320, y: 0 },
    'agent:far': { x: 640, y: -40 },
    'agent:further': { x: 640, y: 40 },
  };
  const strips = [...withDetours(graph, points, new Map()).values()].map(({ outOf }) => outOf?.gutterY);
  expect(strips).toHaveLength(2);
  expect(new Set(strips).size).toBe(2);
});

const links = (count: number, to: (n: number) => readonly number[]) =>
  Array.from({ length: count }, (_, n) => {
    const kids = to(n).filter((kid) => kid < count);
    return `a${n} > ${kids.map((kid) => `a${kid}`).join(', ')}`;
  }).join('; ');

test.each([
  ['60 agents that skip columns', links(60, (n) => [n + 1, n + 3, 2 * n + 5])],
  ['200 agents in a tree', links(200, (n) => [4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4])],
  ['200 agents with shared children', links(200, (n) => [2 * n + 1, 2 * n + 2, 2 * n + 9])],
])(
  'no wire runs behind a box: %s',
  async (_, shorthand) => {
    const { curves, detours } = await counted(projectGraph(graphOf(shorthand)));
    expect(curves).toBeGreaterThan(10);
    expect(detours).toBe(0);
  },
  30_000,
);
