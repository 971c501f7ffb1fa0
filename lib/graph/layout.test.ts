import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { graphOf } from '@/lib/testing/graph-of';
import { tries } from '@/lib/testing/tries';
import type { Graph, NodeId, Point } from './graph';
import { layoutGraph } from './layout';
import { projectGraph } from './project';
import { nodeSize } from './size';
import { sketchGraph } from './thumbnail';

function overlaps(graph: Graph, points: Readonly<Record<NodeId, Point>>, among: readonly NodeId[]): string[] {
  const boxes = graph.nodes.map((node) => ({ id: node.id, ...(points[node.id] ?? { x: 0, y: 0 }), ...nodeSize(node) }));
  return boxes.flatMap((a, at) =>
    boxes.slice(at + 1).flatMap((b) => {
      const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
      return apart || !(among.includes(a.id) || among.includes(b.id)) ? [] : [`${a.id} ${b.id}`];
    }),
  );
}

const team = projectGraph(
  graphOf('lead > writer, critic, planner; planner > helper; writer > helper', {
    cards: { writer: { servers: ['time'] } },
  }),
);

describe('layoutGraph', () => {
  it('puts children right of their parents, the same way each time', async () => {
    const points = await layoutGraph(team, {});
    for (const { source, target } of team.edges) expect(points[target]?.x).toBeGreaterThan(points[source]?.x ?? 0);
    expect(
      overlaps(
        team,
        points,
        team.nodes.map(({ id }) => id),
      ),
    ).toEqual([]);
    expect(await layoutGraph(team, {})).toEqual(points);
  });

  it('stacks the members of a chain in their order, and puts a fan-in right of its branches', async () => {
    const card = (fields: string) => `---\n${fields}\n---\n`;
    const graph = projectGraph(
      readFolder(
        folderOf({
          'a.md': card('name: a'),
          'b.md': card('name: b'),
          'c.md': card('name: c'),
          'flow.md': card('type: chain\nsequence: [c, a, b]'),
          'join.md': card('name: join'),
          'split.md': card('type: parallel\nfan_out: [x, y]\nfan_in: join'),
          'x.md': card('name: x'),
          'y.md': card('name: y'),
        }),
      ),
    );
    const points = await layoutGraph(graph, {});
    const at = (name: string) => points[`agent:${name}`] ?? { x: 0, y: 0 };
    expect([at('c').x, at('a').x]).toEqual([at('b').x, at('b').x]);
    expect([at('c').y < at('a').y, at('a').y < at('b').y]).toEqual([true, true]);
    expect(at('join').x).toBeGreaterThan(Math.max(at('x').x, at('y').x) + 224);
  });

  it('keeps saved positions and finds room for the rest', async () => {
    const ids = team.nodes.map(({ id }) => id);
    const saved = fc.dictionary(
      fc.constantFrom(...ids),
      fc.record({ x: fc.integer({ min: -800, max: 800 }), y: fc.integer({ min: -400, max: 400 }) }),
    );
    await fc.assert(
      fc.asyncProperty(saved, async (positions) => {
        const points = await layoutGraph(team, positions);
        expect(points).toMatchObject(positions);
        expect(Object.keys(points).sort()).toEqual([...ids].sort());
        expect(
          overlaps(
            team,
            points,
            ids.filter((id) => !Object.hasOwn(positions, id)),
          ),
        ).toEqual([]);
      }),
      { numRuns: tries(60) },
    );
  });

  it('manages circles, self-references, one node and none', async () => {
    const circle = projectGraph(graphOf('a > b, a; b > a'));
    expect(Object.keys(await layoutGraph(circle, {}))).toEqual(['agent:a', 'agent:b']);
    expect(await layoutGraph(projectGraph(graphOf('solo')), {})).toEqual({ 'agent:solo': { x: 0, y: 0 } });
    expect(await layoutGraph({ nodes: [], edges: [], chains: {} }, { 'agent:gone': { x: 1, y: 1 } })).toEqual({});
  });
});

describe('sketchGraph', () => {
  it('starts at the origin and draws each pair of nodes once', () => {
    const sketch = sketchGraph(projectGraph(graphOf('a > b, c')), {
      'agent:a': { x: -50, y: 100 },
      'agent:b': { x: 250, y: 40 },
    });
    expect(sketch).toEqual({
      boxes: [
        { kind: 'agent', x: 0, y: 60, width: 224, height: 64 },
        { kind: 'agent', x: 300, y: 0, width: 224, height: 64 },
        { kind: 'agent', x: 300, y: 164, width: 224, height: 64 },
      ],
      lines: [
        { x1: 224, y1: 92, x2: 300, y2: 32 },
        { x1: 224, y1: 92, x2: 300, y2: 196 },
      ],
      width: 524,
      height: 228,
    });
  });

  it('lays out what has no position in columns', () => {
    const sketch = sketchGraph(projectGraph(graphOf('a > b, c; b > d; d > b; x > x')), {});
    expect(sketch.boxes.map(({ x }) => x)).toEqual([0, 300, 300, 600, 0]);
  });

  it('is empty for an empty graph and bounded for a large one', () => {
    expect(sketchGraph({ nodes: [], edges: [], chains: {} }, {})).toEqual({
      boxes: [],
      lines: [],
      width: 0,
      height: 0,
    });
    const names = Array.from({ length: 500 }, (_, at) => `a${at}`).join(',');
    const large = projectGraph(graphOf(`lead > ${names}`));
    const sketch = sketchGraph(large, {});
    expect(sketch.boxes.length).toBeLessThanOrEqual(640);
    expect(sketch.lines.length).toBeLessThanOrEqual(160);
  });

  it('shows a large graph as a map with the shape of its places', () => {
    const names = Array.from({ length: 300 }, (_, at) => `a${at}`);
    const graph = projectGraph(graphOf(`lead > ${names.join(',')}`));
    const places = Object.fromEntries(
      graph.nodes.map(({ id }, at) => [id, { x: (at % 20) * 300, y: Math.floor(at / 20) * 100 }]),
    );
    const { boxes, width, height } = sketchGraph(graph, places);
    expect([width, height]).toEqual([19 * 300 + 224, 15 * 100 + 64]);
    expect(Math.max(...boxes.map((box) => box.x + box.width))).toBeGreaterThan(width * 0.9);
    expect(Math.max(...boxes.map((box) => box.y + box.height))).toBeGreaterThan(height * 0.9);
    expect(boxes.every((box) => box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height)).toBe(true);
  });
});
