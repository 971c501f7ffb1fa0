import { expect, test } from 'vitest';
import { projectGraph } from '@/lib/graph/project';
import { agentSize } from '@/lib/graph/size';
import { graphOf } from '@/lib/testing/graph-of';
import { noteNodes } from './annotation-model';
import { flowNodes } from './flow-model';
import { boxOfView, overviewMarks, overviewScale } from './overview-model';

const graph = projectGraph(graphOf('lead > writer, critic'));
const points = Object.fromEntries(graph.nodes.map((node, index) => [node.id, { x: index * 300, y: 10 }]));
const hidden = new Map([[graph.nodes[2]?.id ?? '', 'group:g']]);

test('every node and note has a mark, and a hidden one has none', () => {
  const notes = noteNodes([{ id: 'n', text: 'A note', x: 5, y: 6 }], [], new Set(), []);
  const marks = overviewMarks([...flowNodes(graph, points, [], [], hidden), ...notes]);
  expect(marks).toEqual([
    { box: { x: 0, y: 10, ...agentSize }, colour: '--agent' },
    { box: { x: 300, y: 10, ...agentSize }, colour: '--agent' },
    { box: { x: 5, y: 6, width: 200, height: 96 }, colour: '--muted' },
  ]);
});

test('marks and the view fit into the overview, in its middle and not distorted', () => {
  const view = boxOfView(800, 600, [-100, -50, 0.5]);
  expect(view).toEqual({ x: 200, y: 100, width: 1_600, height: 1_200 });
  const marks = { x: -1_000, y: 100, width: 400, height: 200 };
  const { x, y, scale } = overviewScale(marks, view, { width: 160, height: 104 });
  // 2,800 × 1,200 units of the canvas in 150 × 94 pixels.
  expect(scale).toBeCloseTo(150 / 2_800);
  expect(-1_000 * scale + x).toBeCloseTo(5);
  expect(1_800 * scale + x).toBeCloseTo(155);
  expect(((100 + 1_300) / 2) * scale + y).toBeCloseTo(52);
});

test('an empty canvas has a scale too', () => {
  const { scale } = overviewScale(undefined, boxOfView(0, 0, [0, 0, 1]), { width: 160, height: 104 });
  expect(Number.isFinite(scale)).toBe(true);
});
