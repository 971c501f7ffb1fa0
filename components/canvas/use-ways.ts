'use client';

import { useEffect, useMemo, useState } from 'react';
import { inIdleTime } from '@/components/ui/when-idle';
import { detours, withDetours } from '@/lib/graph/detours';
import { type FanWay, fanWays } from '@/lib/graph/fans';
import type { Graph, NodeId, Point } from '@/lib/graph/graph';

type Ways = ReadonlyMap<string, FanWay>;

const mostAtOnce = 400;

/** Returns the ways of the wires that are no plain curves, by edge. Those of a large graph come a moment later. */
export function useWays(graph: Graph, points: Readonly<Record<NodeId, Point>>): Ways {
  const { edges, chains } = graph;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edges name their nodes; nothing else of a node moves a wire
  const drawn = useMemo(() => ({ graph, points, fans: fanWays(graph, points) }), [edges, chains, points]);
  const [late, setLate] = useState<Ways>();
  const ways = useMemo(
    () => (isLarge(drawn.graph) ? undefined : withDetours(drawn.graph, drawn.points, drawn.fans)),
    [drawn],
  );
  useEffect(() => {
    if (isLarge(drawn.graph)) return inIdleTime(detours(drawn.graph, drawn.points, drawn.fans), setLate);
  }, [drawn]);
  return ways ?? late ?? drawn.fans;
}

/** True if strips are looked for once the page is idle, because opening the graph must not wait for them. */
function isLarge({ edges }: Graph): boolean {
  return edges.length > mostAtOnce;
}
