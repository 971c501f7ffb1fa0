'use client';

import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from 'react';
import { useProject, useProjectAs } from '@/components/editor-state/project-context';
import { flowsOf } from '@/lib/graph/flows';
import { canvasBoxes, groupFrames } from '@/lib/graph/group-frames';
import { neighboursOf } from '@/lib/graph/neighbours';
import { sameDrawing } from '@/lib/graph/same-drawing';
import { type CanvasNode, frameNodes, hiddenIn, noteNodes, wiresOfGroups } from './annotation-model';
import { type FlowEdge, flowLines, flowNodes, type WireEdge, wireEdges } from './flow-model';
import { useCollapsed } from './use-collapsed';
import { useWays } from './use-ways';

export interface FlowGraph {
  readonly nodes: CanvasNode[];
  readonly edges: FlowEdge[];
  /** Takes the changes that React Flow makes by itself while a gesture lasts. */
  readonly setNodes: Dispatch<SetStateAction<CanvasNode[]>>;
}

/** Returns the open project's graph, its notes and its groups as React Flow draws them. */
export function useFlowGraph(): FlowGraph {
  // Typed words render one node and nothing else of the canvas.
  const graph = useProjectAs((state) => state.picture.graph, sameDrawing);
  const points = useProject((state) => state.points);
  const selection = useProject((state) => state.selection);
  const selectedEdge = useProject((state) => state.selectedEdge);
  const canvas = useProject((state) => state.picture.drawn.settings.canvas);
  const [collapsed] = useCollapsed();
  const { notes, groups } = canvas;
  const { frames, homes } = useMemo(() => {
    const framed = groups.length === 0 ? [] : groupFrames(groups, canvasBoxes(graph, points, notes));
    return { frames: framed, homes: hiddenIn(framed, collapsed) };
  }, [graph, points, notes, groups, collapsed]);

  const input = { graph, points, selection, notes, frames, homes };
  const drawAll = (previous: readonly CanvasNode[]): CanvasNode[] => [
    ...frameNodes(frames, selection, collapsed, previous),
    ...flowNodes(graph, points, selection, previous, homes),
    ...noteNodes(notes, selection, new Set(homes.keys()), previous),
  ];
  const [nodes, setNodes] = useState<CanvasNode[]>(() => drawAll([]));
  const [shown, setShown] = useState(input);
  // The state is updated while rendering, because an effect would render the canvas twice for each change.
  if (!sameInput(shown, input)) {
    setShown(input);
    setNodes(drawAll(nodes));
  }
  const lastWires = useRef<WireEdge[]>([]);
  const { edges: graphEdges } = graph;
  const ways = useWays(graph, points);
  const flows = useMemo(() => flowsOf(graphEdges), [graphEdges]);
  const wires = useMemo(() => {
    const lit = neighboursOf({ edges: graphEdges }, selection).edges;
    lastWires.current = wireEdges(graphEdges, ways, flows, selectedEdge, lastWires.current, lit);
    return lastWires.current;
  }, [graphEdges, ways, flows, selectedEdge, selection]);
  const lines = useMemo(() => flowLines(graph, points, flows, selectedEdge), [graph, points, flows, selectedEdge]);
  const edges = useMemo(() => {
    const seen =
      homes.size === 0 ? lines : lines.filter(({ source, target }) => !homes.has(source) && !homes.has(target));
    const led = homes.size === 0 ? wires : wiresOfGroups(wires, homes);
    return seen.length === 0 ? led : [...seen, ...led];
  }, [lines, wires, homes]);
  return { nodes, edges, setNodes };
}

function sameInput<T extends object>(a: T, b: T): boolean {
  const [before, after] = [new Map(Object.entries(a)), Object.entries(b)];
  return after.every(([key, value]) => before.get(key) === value);
}
