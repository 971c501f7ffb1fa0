import { expect, test } from 'vitest';
import { begin, fold, log, queued, started, toolOff, toolOn } from '@/lib/testing/trace-log';
import { pictureOfLanes } from './picture-of-lanes';
import { runGraph } from './run-graph';

const onServer = { ...toolOn('lead/critic[1]', 1, 'clock__now'), serverName: 'clock' };
const trace = fold(
  log(
    [0, begin],
    [0, queued('lead')],
    [0, started('lead')],
    [1, queued('lead/writer[1]', 'lead#t1')],
    [1, queued('lead/writer[2]', 'lead#t2')],
    [2, queued('lead/critic[1]', 'lead#t3')],
    [3, onServer],
    [4, toolOff('lead/critic[1]', 1)],
    [5, toolOn('lead/critic[1]', 2, 'add', 'function')],
    [6, toolOn('lead/critic[1]', 3, 'set_state', 'runtime')],
    [7, queued('lead/critic[1]/lead[1]', 'lead/critic[1]#t4')],
  ),
);

test('agents, servers and functions are boxes, and calls are wires, each once', () => {
  const { picture, leftOut } = pictureOfLanes(trace);
  expect(picture.nodes.map(({ name, kind, x, y }) => [name, kind, x, y])).toEqual([
    ['lead', 'agent', 0, 66],
    ['writer', 'agent', 320, 0],
    ['critic', 'agent', 320, 132],
    ['clock', 'server', 640, 96],
    ['add', 'function', 640, 184],
  ]);
  expect(picture.edges.map(({ source, target, kind }) => `${source} ${target} ${kind}`)).toEqual([
    'agent lead agent writer delegation',
    'agent lead agent critic delegation',
    'agent critic agent lead delegation',
    'agent critic server clock uses',
    'agent critic function add uses',
  ]);
  expect(leftOut).toBe(0);
});

test('the graph of the run counts its instances and calls', () => {
  const { boxes, lines } = runGraph(pictureOfLanes(trace).picture, trace);
  expect(boxes.map(({ name, counts }) => [name, counts])).toContainEqual(['writer', '2 queued']);
  expect(lines.map(({ id, calls }) => [id, calls])).toContainEqual(['agent lead → agent writer', 2]);
});

test('a run of very many agents says how many are left out', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => [1, queued(`lead/a${n}`, 'lead#t1')] as const);
  const { picture, leftOut } = pictureOfLanes(fold(log([0, begin], [0, queued('lead')], ...many)));
  expect([picture.nodes.length, leftOut]).toEqual([300, 701]);
});

test('a run without instances has no graph', () => {
  expect(pictureOfLanes(fold(log([0, begin]))).picture).toEqual({ nodes: [], edges: [] });
});
