import { expect, test } from 'vitest';
import type { Points } from '@/lib/editor/place-nodes';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { projectGraph } from '@/lib/graph/project';
import { graphOf } from '@/lib/testing/graph-of';
import { homeView, wholeView } from './home-view';

const frame = { width: 1000, height: 600 };

function chain(length: number) {
  const names = Array.from({ length }, (_, at) => `a${at}`);
  const graph = projectGraph(graphOf(names.map((name, at) => (at === 0 ? name : `a${at - 1} > ${name}`)).join('; ')));
  const points: Points = Object.fromEntries(names.map((name, at) => [`agent:${name}`, { x: at * 320, y: 0 }]));
  return { graph, points };
}

test('a graph that fits is shown whole, in the middle and never enlarged', () => {
  const { graph, points } = chain(2);
  const view = homeView(graph, points, undefined, frame);
  expect(view).toEqual({ zoom: 1, x: 500 - (320 + 224) / 2, y: 300 - 32 });
});

test('a wide graph is made smaller', () => {
  const { graph, points } = chain(5);
  const { zoom, x } = homeView(graph, points, 'a0', frame);
  expect(zoom).toBeLessThan(0.6);
  expect(x).toBeGreaterThan(0);
  expect(x + (4 * 320 + 224) * zoom).toBeLessThan(frame.width);
});

test('the whole graph is in view with a margin, however small its nodes get, and with its hooks', () => {
  const { graph, points } = chain(40);
  const last = 39 * 320 + 224;
  const inside = (view: { x: number; zoom: number }, right: number) => [
    view.x,
    frame.width - view.x - right * view.zoom,
  ];
  const plain = inside(wholeView(graph, points, frame), last);
  expect(plain[0]).toBeCloseTo(80);
  expect(plain[1]).toBeCloseTo(80);
  const bead: ChainEntry = {
    id: 'tool_hooks.0',
    kind: 'code',
    origin: 'card',
    phase: 'around',
    place: 1,
    placeInRun: 1,
    off: false,
    name: 'h',
    spec: 'h.py:h',
    file: 'h.py',
    functionName: 'h',
    home: 'a39.md',
    missing: false,
    parameters: {},
    policy: {},
  };
  const hooked = { ...graph, chains: { 'agent:a39': [bead, bead] } };
  expect(wholeView(hooked, points, frame).zoom).toBeLessThan(wholeView(graph, points, frame).zoom);
});

test('of a graph that would be unreadable, the entry is shown with what is right of it', () => {
  const { graph, points } = chain(1000);
  const { zoom, x, y } = homeView(graph, points, 'a500', frame);
  expect(zoom).toBeGreaterThanOrEqual(0.6);
  expect((500 * 320 + 112) * zoom + x).toBeCloseTo(300);
  expect(32 * zoom + y).toBeCloseTo(300);
});

test('without an entry, the first agent that none uses', () => {
  const { graph, points } = chain(1000);
  const { zoom, x } = homeView(graph, points, undefined, frame);
  expect(112 * zoom + x).toBeCloseTo(300);
});

test('nothing to show is no reason to move', () => {
  expect(homeView({ nodes: [], edges: [], chains: {} }, {}, undefined, frame)).toEqual({ x: 0, y: 0, zoom: 1 });
});
