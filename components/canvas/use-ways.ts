'use client';

import { useEffect, useMemo, useState } from 'react';
import { inIdleTime } from '@/components/ui/when-idle';
import { detours, withDetours } from '@/lib/graph/detours';
import { type FanWay, fanWays } from '@/lib/graph/fans';
import type { Graph, NodeId, Point } from '@/lib/graph/graph';

type Ways = ReadonlyMap<string, FanWay>;

const mostAtOnce = 400;

/** Returns the paths of those wires that are not drawn as curves, by edge. In a large graph they are known a moment later. */
export function useWays(graph: Graph, points: Readonly<Record<NodeId, Point>>): Ways {
  const { edges, chains } = graph;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edges name their nodes; nothing else of a node moves a wire
  const drawn = useMemo((): Drawn => ({ graph, points, fans: fanWays(graph, points) }), [edges, chains, points]);
  const [late, setLate] = useState<Late>();
  const now = useMemo(() => (isLarge(drawn) ? undefined : withDetours(drawn.graph, drawn.points, drawn.fans)), [drawn]);
  const meanwhile = useMemo(() => (late === undefined ? drawn.fans : stillRight(late, drawn)), [late, drawn]);
  useEffect(() => {
    if (!isLarge(drawn)) return;
    return inIdleTime(detours(drawn.graph, drawn.points, drawn.fans), (ways) => setLate({ of: drawn, ways }));
  }, [drawn]);
  return now ?? meanwhile;
}

interface Drawn {
  readonly graph: Graph;
  readonly points: Readonly<Record<NodeId, Point>>;
  readonly fans: Ways;
}

interface Late {
  readonly of: Drawn;
  readonly ways: Ways;
}

/** True if strips are looked for once the page is idle, because opening the graph must not wait for them. */
function isLarge({ graph }: Drawn): boolean {
  return graph.edges.length > mostAtOnce;
}

/** Returns the paths that were found last. Wires with an end that has moved since then are left out. */
function stillRight({ of, ways }: Late, drawn: Drawn): Ways {
  if (of === drawn) return ways;
  const hasMoved = (id: NodeId) => {
    const [before, after] = [of.points[id], drawn.points[id]];
    return before?.x !== after?.x || before?.y !== after?.y;
  };
  const right = new Map(drawn.fans);
  for (const { id, source, target } of drawn.graph.edges) {
    const way = ways.get(id);
    if (way !== undefined && !right.has(id) && !hasMoved(source) && !hasMoved(target)) right.set(id, way);
  }
  return right;
}
