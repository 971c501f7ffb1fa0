import { expect, test } from 'vitest';
import { graphOf } from '@/lib/testing/graph-of';
import { canvasBoxes, groupFrames } from './group-frames';
import { projectGraph } from './project';

const graph = projectGraph(graphOf('lead > kid'));
const points = { 'agent:lead': { x: 0, y: 0 }, 'agent:kid': { x: 320, y: 100 } };
const note = { id: 'n1', text: 'Look', x: -300, y: 0 };
const boxes = canvasBoxes(graph, points, [note]);

test('a frame holds its members, with room for the title, and notes too', () => {
  const [frame] = groupFrames([{ id: 'g', title: 'Team', members: ['agent:lead', 'agent:kid'] }], boxes);
  expect(frame).toMatchObject({ x: -20, y: -40, width: 584, height: 224 });
  const [wider] = groupFrames([{ id: 'g', title: 'Team', members: ['note:n1', 'agent:lead'] }], boxes);
  expect(wider).toMatchObject({ x: -320, width: 564 });
});

test('members that do not exist are left out, and a group of none has no frame', () => {
  const [frame] = groupFrames([{ id: 'g', title: '', members: ['agent:gone', 'agent:kid'] }], boxes);
  expect(frame?.members).toEqual(['agent:kid']);
  expect(groupFrames([{ id: 'g', title: '', members: ['agent:gone'] }], boxes)).toEqual([]);
});
