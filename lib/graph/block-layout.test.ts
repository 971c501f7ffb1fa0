import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { blockLayout } from './block-layout';
import type { Graph } from './graph';
import { canvasBoxes } from './group-frames';
import { layoutGraph } from './layout';
import { projectGraph } from './project';

/** Makes a graph of `count` agents, each with up to `width` children, and edges across. */
function tree(count: number, width: number): Graph {
  const lines = Array.from({ length: count }, (_, index) => {
    const kids = Array.from({ length: width }, (_, k) => index * width + k + 1).filter((kid) => kid < count);
    const across = index * 7 + 5;
    return `a${index} > ${[...kids, ...(across < count ? [across] : [])].map((kid) => `a${kid}`).join(', ')}`;
  });
  return projectGraph(graphOf(lines.join('; ')));
}

function overlapping(graph: Graph): number {
  const boxes = [...canvasBoxes(graph, Object.fromEntries(blockLayout(graph)), []).values()].sort((a, b) => a.x - b.x);
  let count = 0;
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      if (b.x >= a.x + a.width) break;
      if (b.y < a.y + a.height && a.y < b.y + b.height) count += 1;
    }
  }
  return count;
}

test('nodes never overlap, and each has a place, whatever the graph', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 30 }), (count, width) => {
      const graph = tree(count, width);
      expect(blockLayout(graph).size).toBe(graph.nodes.length);
      expect(overlapping(graph)).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('a thousand agents have about the shape of a screen, the same each time', async () => {
  const graph = tree(1_000, 3);
  const points = await layoutGraph(graph, {});
  expect(points).toEqual(Object.fromEntries(blockLayout(graph)));
  const [xs, ys] = [Object.values(points).map(({ x }) => x), Object.values(points).map(({ y }) => y)];
  const ratio = Math.max(...xs) / Math.max(...ys);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(4);
  for (const kid of ['agent:a1', 'agent:a2', 'agent:a3']) {
    expect(points[kid]?.x).toBeGreaterThan((points['agent:a0']?.x ?? 0) + 224);
  }
});

test('a parent of many children with children of their own has them in columns', () => {
  const kids = Array.from({ length: 40 }, (_, index) => `k${index}`);
  const graph = projectGraph(
    graphOf(`lead > ${kids.join(', ')}; ${kids.map((kid) => `${kid} > ${kid}x, ${kid}y`).join('; ')}`),
  );
  const points = blockLayout(graph);
  expect(new Set(kids.map((kid) => points.get(`agent:${kid}`)?.x)).size).toBeGreaterThan(2);
});

test('what only a cycle reaches is placed too', () => {
  expect(blockLayout(projectGraph(graphOf('a > b; b > a; c > c'))).size).toBe(3);
});
