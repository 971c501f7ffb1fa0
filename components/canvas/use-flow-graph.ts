'use client';

import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { fanWays } from '@/lib/graph/fans';
import { flowsOf } from '@/lib/graph/flows';
import { neighboursOf } from '@/lib/graph/neighbours';
import { type FlowEdge, type FlowNode, flowLines, flowNodes, type WireEdge, wireEdges } from './flow-model';

export interface FlowGraph {
  readonly nodes: FlowNode[];
  readonly edges: FlowEdge[];
  /** Takes the changes that React Flow makes by itself while a gesture lasts. */
  readonly setNodes: Dispatch<SetStateAction<FlowNode[]>>;
}

/** Returns the open project's graph as React Flow draws it. */
export function useFlowGraph(): FlowGraph {
  const graph = useProject((state) => state.picture.graph);
  const points = useProject((state) => state.points);
  const selection = useProject((state) => state.selection);
  const selectedEdge = useProject((state) => state.selectedEdge);

  const [nodes, setNodes] = useState<FlowNode[]>(() => flowNodes(graph, points, selection, []));
  const [shown, setShown] = useState({ graph, points, selection });
  // The state is updated while rendering, because an effect would render the canvas twice for each change.
  if (shown.graph !== graph || shown.points !== points || shown.selection !== selection) {
    setShown({ graph, points, selection });
    setNodes(flowNodes(graph, points, selection, nodes));
  }
  const lastWires = useRef<WireEdge[]>([]);
  const { edges: graphEdges, chains } = graph;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edges name their nodes; nothing else of a node moves a wire
  const ways = useMemo(() => fanWays(graph, points), [graphEdges, chains, points]);
  const flows = useMemo(() => flowsOf(graphEdges), [graphEdges]);
  const wires = useMemo(() => {
    const lit = neighboursOf({ edges: graphEdges }, selection).edges;
    lastWires.current = wireEdges(graphEdges, ways, flows, selectedEdge, lastWires.current, lit);
    return lastWires.current;
  }, [graphEdges, ways, flows, selectedEdge, selection]);
  const lines = useMemo(() => flowLines(graph, flows, selectedEdge), [graph, flows, selectedEdge]);
  const edges = useMemo(() => (lines.length === 0 ? wires : [...lines, ...wires]), [lines, wires]);
  return { nodes, edges, setNodes };
}
