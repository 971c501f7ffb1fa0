import { isSameAnchor } from '@/lib/graph/review/anchor';
import { anchorOfPart, type GraphPart } from '@/lib/graph/review/graph-parts';
import type { PlacedGraph } from '@/lib/graph/review/merged-graph';
import type { ShownThread } from './review-types';

/** Counts the threads about a part. */
export function threadsAt(part: GraphPart, { graph }: PlacedGraph, threads: readonly ShownThread[]): number {
  if (threads.length === 0) return 0;
  const about = anchorOfPart(part, graph);
  return about === undefined ? 0 : threads.filter(({ place }) => isSameAnchor(place, about)).length;
}
