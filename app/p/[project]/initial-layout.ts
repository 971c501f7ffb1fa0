import type { Graph, NodeId, Point } from '@/lib/graph/graph';
import { layoutGraph } from '@/lib/graph/layout';

const kept = new Map<string, Promise<Record<NodeId, Point>>>();
const keptAtMost = 50;

/** As `layoutGraph`; a graph that was laid out before costs nothing, whatever else changed in its cards. */
export function initialLayout(
  graph: Graph,
  positions: Readonly<Record<NodeId, Point>>,
): Promise<Record<NodeId, Point>> {
  const key = JSON.stringify([
    graph.nodes.map((node) => [node.id, graph.chains[node.id]?.length ?? 0]),
    graph.edges.map((edge) => [edge.source, edge.target]),
    positions,
  ]);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const points = layoutGraph(graph, positions);
  // A layout that failed is tried again next time.
  points.catch(() => kept.delete(key));
  kept.set(key, points);
  const oldest = kept.keys().next().value;
  if (kept.size > keptAtMost && oldest !== undefined) kept.delete(oldest);
  return points;
}
