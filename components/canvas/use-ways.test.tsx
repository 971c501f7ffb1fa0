import { renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { withDetours } from '@/lib/graph/detours';
import { fanWays } from '@/lib/graph/fans';
import { layoutGraph } from '@/lib/graph/layout';
import { projectGraph } from '@/lib/graph/project';
import { graphOf } from '@/lib/testing/graph-of';
import { useWays } from './use-ways';

async function chain(agents: number) {
  const links = Array.from({ length: agents }, (_, n) =>
    [n + 1, n + 3].flatMap((kid) => (kid < agents ? [`a${kid}`] : [])),
  );
  const graph = projectGraph(graphOf(links.map((kids, n) => `a${n} > ${kids.join(', ')}`).join('; ')));
  const points = await layoutGraph(graph, {});
  return { graph, points, led: withDetours(graph, points, fanWays(graph, points)) };
}

it('leads the wires of a graph around boxes at once', async () => {
  const { graph, points, led } = await chain(30);
  const { result } = renderHook(() => useWays(graph, points));
  expect(led.size).toBeGreaterThan(5);
  expect(result.current).toEqual(led);
});

it('leads the wires of a large graph around boxes when the page is idle', async () => {
  const { graph, points, led } = await chain(250);
  const { result } = renderHook(() => useWays(graph, points));
  expect(result.current.size).toBe(0);
  await waitFor(() => expect(result.current).toEqual(led), { timeout: 20_000 });
  expect(led.size).toBeGreaterThan(50);
});

it('keeps the ways of wires that did not move, and no others, until new ones are found', async () => {
  const { graph, points, led } = await chain(250);
  const { result, rerender } = renderHook(({ places }) => useWays(graph, places), { initialProps: { places: points } });
  await waitFor(() => expect(result.current).toEqual(led), { timeout: 20_000 });
  const moved = graph.edges.find(({ id }) => led.has(id));
  if (moved === undefined) throw new Error('No wire is led around boxes');
  const places = { ...points, [moved.target]: { x: 9_000, y: 9_000 } };
  rerender({ places });
  expect(result.current.has(moved.id)).toBe(false);
  expect(result.current.size).toBeGreaterThan(led.size - 10);
  const next = withDetours(graph, places, fanWays(graph, places));
  await waitFor(() => expect(result.current).toEqual(next), { timeout: 20_000 });
});
