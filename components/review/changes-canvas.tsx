'use client';

import { Controls, MarkerType, ReactFlow, type ReactFlowProps, ReactFlowProvider, useStore } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import '@/components/canvas/canvas.css';
import { useMemo } from 'react';
import { distanceOf } from '@/components/canvas/distance';
import { type FlowNode, flowNodes, type WireEdge, wireEdges } from '@/components/canvas/flow-model';
import { wholeView } from '@/components/canvas/home-view';
import { graphParts } from '@/lib/graph/review/graph-parts';
import type { PlacedGraph } from '@/lib/graph/review/merged-graph';
import { ChangedNode } from './changed-node';
import { ChangedWire } from './changed-wire';
import { DrawingContext } from './drawing-context';
import type { ShownThread } from './review-types';
import { threadsAt } from './threads-at';

const settings = {
  nodeTypes: { agent: ChangedNode, resource: ChangedNode },
  edgeTypes: { wire: ChangedWire },
  defaultEdgeOptions: { markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'var(--faint)' } },
  onlyRenderVisibleElements: true,
  disableKeyboardA11y: true,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  deleteKeyCode: null,
  zoomOnDoubleClick: false,
  // The wheel moves the page. With Ctrl it zooms.
  zoomOnScroll: false,
  preventScrolling: false,
  maxZoom: 1.5,
} as const satisfies Partial<ReactFlowProps<FlowNode, WireEdge>>;

export interface ChangesCanvasProps {
  readonly drawing: PlacedGraph;
  readonly threads: readonly ShownThread[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** Draws a merged graph. Nodes, hooks and wires are buttons; nothing is edited. */
export function ChangesCanvas(props: ChangesCanvasProps) {
  return (
    <ReactFlowProvider>
      <Body {...props} />
    </ReactFlowProvider>
  );
}

/** A frame that is smaller than any in which a graph is drawn. */
const smallFrame = { width: 280, height: 280 };

/** A graph with more nodes is first shown around its changes. */
const seenAtOnce = 20;

function Body({ drawing, threads, chosen, onChoose }: ChangesCanvasProps) {
  const { graph, points, changes } = drawing;
  const distance = useStore(distanceOf);
  const { nodes, edges } = useMemo(
    () => ({
      nodes: flowNodes(graph, points, [], []).map((node) => ({ ...node, focusable: false })),
      edges: wireEdges(graph.edges, new Map(), [], undefined, []),
    }),
    [graph, points],
  );
  // Any graph can be seen whole.
  const minZoom = useMemo(() => Math.min(0.1, wholeView(graph, points, smallFrame).zoom), [graph, points]);
  const context = useMemo(() => {
    const counts = new Map(graphParts(graph).map((part) => [part.key, threadsAt(part, drawing, threads)]));
    return { changes, counts, chosen, onChoose };
  }, [drawing, graph, changes, threads, chosen, onChoose]);
  const first = useMemo(() => {
    const touched = nodes.filter(({ id }) => changes[id] !== undefined).slice(0, seenAtOnce);
    return graph.nodes.length > seenAtOnce && touched.length > 0 ? touched.map(({ id }) => ({ id })) : undefined;
  }, [nodes, changes, graph]);
  return (
    <DrawingContext value={context}>
      <section aria-label="Graph before and after" className={`cb-canvas size-full cb-${distance}`}>
        <ReactFlow<FlowNode, WireEdge>
          {...settings}
          minZoom={minZoom}
          nodes={nodes}
          edges={edges}
          fitView
          fitViewOptions={{ padding: 0.12, maxZoom: 1, minZoom: 0.5, ...(first === undefined ? {} : { nodes: first }) }}
          onEdgeClick={(_, { id }) => onChoose(id)}
        >
          <Controls showInteractive={false} position="bottom-left" />
        </ReactFlow>
      </section>
    </DrawingContext>
  );
}
