'use client';

import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  ControlButton,
  Controls,
  MarkerType,
  MiniMap,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { Maximize } from 'lucide-react';
import { startTransition, useCallback, useMemo, useRef, useState } from 'react';
import { paletteType } from '@/components/editor-state/palette-type';
import { useActions, useProject, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { fanWays } from '@/lib/graph/fans';
import type { NodeId, Point } from '@/lib/graph/graph';
import { canConnect } from '@/lib/graph/rules';
import { AgentNode } from './agent-node';
import { CanvasMenu, type MenuTarget } from './canvas-menu';
import { ConnectionWire } from './connection-wire';
import { type FlowEdge, type FlowNode, flowEdges, flowNodes } from './flow-model';
import { ResourceNode } from './resource-node';
import { useCanvasKeys } from './use-canvas-keys';
import { useHomeView } from './use-home-view';
import { useReveal } from './use-reveal';
import { Wire } from './wire';

const nodeTypes = { agent: AgentNode, resource: ResourceNode };
const edgeTypes = { wire: Wire };
const edgeDefaults = {
  markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'var(--faint)' },
};

const multiSelectionKeys = ['Meta', 'Control', 'Shift'];
const proOptions = { hideAttribution: false };
/** Nodes that are seen at once: an overview would only cover some of them. */
const seenAtOnce = 12;
const minimapSize = { width: 160, height: 104 };

/** The graph, drawn and edited by gesture. A gesture ends in one command; while it lasts only React Flow knows. */
export function Canvas() {
  return (
    <ReactFlowProvider>
      <CanvasBody />
    </ReactFlowProvider>
  );
}

function CanvasBody() {
  const actions = useActions();
  const commands = useCommands();
  const readProject = useReadProject();
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const frame = useRef<HTMLElement>(null);
  const [connecting, setConnecting] = useState(false);
  // Stable, as all that React Flow is given: each prop that changes makes every node of it look again.
  const onConnectStart = useCallback(() => setConnecting(true), []);
  const onConnectEnd = useCallback(() => setConnecting(false), []);
  const [menuTarget, setMenuTarget] = useState<MenuTarget>({ kind: 'pane', at: { x: 0, y: 0 } });

  const graph = useProject((state) => state.picture.graph);
  const points = useProject((state) => state.points);
  const selection = useProject((state) => state.selection);
  const selectedEdge = useProject((state) => state.selectedEdge);

  const [nodes, setNodes] = useState<FlowNode[]>(() => flowNodes(graph, points, selection, []));
  const [shown, setShown] = useState({ graph, points, selection });
  // While rendering, not in an effect: the canvas would be drawn twice for each key.
  if (shown.graph !== graph || shown.points !== points || shown.selection !== selection) {
    setShown({ graph, points, selection });
    setNodes(flowNodes(graph, points, selection, nodes));
  }
  const lastEdges = useRef<FlowEdge[]>([]);
  const { edges: graphEdges, chains } = graph;
  // biome-ignore lint/correctness/useExhaustiveDependencies: edges name their nodes; what else nodes say leads no wire
  const ways = useMemo(() => fanWays(graph, points), [graphEdges, chains, points]);
  const edges = useMemo(() => {
    lastEdges.current = flowEdges(graphEdges, ways, selectedEdge, lastEdges.current);
    return lastEdges.current;
  }, [graphEdges, ways, selectedEdge]);

  const goHome = useHomeView(frame);
  // The overview is drawn after the graph itself.
  const [settled, setSettled] = useState(false);
  const onInit = useCallback(() => {
    goHome();
    startTransition(() => setSettled(true));
  }, [goHome]);
  useCanvasKeys(frame, goHome);
  useReveal(frame, selection);
  // Words on wires can only be read from near; from afar they are noise.
  const far = useStore((state) => state.transform[2] < 0.6);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      // Removal goes through a command, and selection through the store; the rest is the gesture's own business.
      const own = changes.filter((change) => change.type !== 'remove' && change.type !== 'select');
      if (own.length > 0) setNodes((previous) => applyNodeChanges(own, previous));
      const picks = changes.filter((change) => change.type === 'select');
      if (picks.length === 0) return;
      const selected = new Set<NodeId>(readProject().selection);
      for (const pick of picks) {
        if (pick.selected) selected.add(pick.id);
        else selected.delete(pick.id);
      }
      actions.select([...selected]);
    },
    [actions, readProject],
  );

  const onDragStop = useCallback(
    (_: unknown, __: FlowNode, dragged: FlowNode[]) => {
      const shown = readProject().points;
      const moved = dragged
        .map((node) => [node.id, rounded(node.position)] as const)
        .filter(([id, at]) => shown[id]?.x !== at.x || shown[id]?.y !== at.y);
      if (moved.length > 0) commands.move(Object.fromEntries(moved));
    },
    [commands, readProject],
  );

  const onSelectionDragStop = useCallback(
    (event: unknown, dragged: FlowNode[]) => {
      const [first] = dragged;
      if (first !== undefined) onDragStop(event, first, dragged);
    },
    [onDragStop],
  );
  const onConnect = useCallback(
    (connection: Connection) => commands.connect(connection.source, connection.target),
    [commands],
  );

  const isValid = useCallback(
    (connection: Connection | FlowEdge) => {
      const { drawn, graph: now } = readProject().picture;
      return canConnect(now, drawn, connection.source, connection.target).ok;
    },
    [readProject],
  );

  return (
    <CanvasMenu target={menuTarget}>
      <section
        ref={frame}
        aria-label="Graph"
        className={`cb-canvas relative h-full min-h-0 w-full ${connecting ? 'cb-connecting' : ''} ${far ? 'cb-far' : ''}`}
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes(paletteType)) event.preventDefault();
        }}
        onDrop={(event) => {
          const what = event.dataTransfer.getData(paletteType);
          const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
          if (what === 'agent') commands.addAgent(at);
          if (what === 'server') commands.addServer(at);
        }}
        onContextMenuCapture={(event) => setMenuTarget(targetOf(event, flow.screenToFlowPosition))}
      >
        <ReactFlow<FlowNode, FlowEdge>
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          defaultEdgeOptions={edgeDefaults}
          onNodesChange={onNodesChange}
          onNodeDragStop={onDragStop}
          onSelectionDragStop={onSelectionDragStop}
          onEdgeClick={(_, edge) => actions.selectEdge(edge.id)}
          onPaneClick={() => {
            actions.select([]);
            actions.selectEdge(undefined);
          }}
          onNodeDoubleClick={(_, node) => commands.open(node.id)}
          onConnectStart={onConnectStart}
          onConnectEnd={onConnectEnd}
          onConnect={onConnect}
          isValidConnection={isValid}
          connectionLineComponent={ConnectionWire}
          connectionRadius={24}
          onlyRenderVisibleElements
          disableKeyboardA11y
          deleteKeyCode={null}
          multiSelectionKeyCode={multiSelectionKeys}
          selectionKeyCode="Shift"
          selectionMode={SelectionMode.Partial}
          elevateNodesOnSelect={false}
          zoomOnDoubleClick={false}
          edgesFocusable={false}
          minZoom={0.02}
          maxZoom={2}
          onInit={onInit}
          proOptions={proOptions}
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1} />
          <Controls showInteractive={false} showFitView={false} position="bottom-left">
            <ControlButton aria-label="Fit View" title="Fit View (1)" onClick={goHome}>
              <Maximize aria-hidden className="!fill-none" />
            </ControlButton>
          </Controls>
          {settled && graph.nodes.length > seenAtOnce ? (
            <MiniMap
              pannable
              zoomable
              position="bottom-right"
              className="max-sm:!hidden"
              style={minimapSize}
              ariaLabel="Overview of the graph"
              nodeColor={minimapColor}
              nodeStrokeColor={minimapColor}
              nodeStrokeWidth={1.5}
              nodeBorderRadius={16}
            />
          ) : null}
        </ReactFlow>
        {graph.nodes.length === 0 ? <EmptyCanvas onAdd={() => commands.addAgent(undefined)} /> : null}
      </section>
    </CanvasMenu>
  );
}

function EmptyCanvas(props: { readonly onAdd: () => void }) {
  return (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-3 text-center">
      <p className="text-sm text-muted">Agents of this project will appear here.</p>
      <button
        type="button"
        onClick={props.onAdd}
        className="pointer-events-auto rounded border border-line-strong bg-surface px-3 py-1.5 text-sm font-medium hover:bg-hover"
      >
        Add the first agent
      </button>
    </div>
  );
}

function targetOf(event: React.MouseEvent, toFlow: (at: Point) => Point): MenuTarget {
  const at = toFlow({ x: event.clientX, y: event.clientY });
  const element = event.target instanceof Element ? event.target : undefined;
  const nodeId = element?.closest('.react-flow__node')?.getAttribute('data-id');
  if (nodeId) return { kind: 'node', id: nodeId, at };
  const edgeId = element?.closest('.react-flow__edge')?.getAttribute('data-id');
  if (edgeId) return { kind: 'edge', id: edgeId, at };
  return { kind: 'pane', at };
}

function rounded(point: Point): Point {
  return { x: Math.round(point.x), y: Math.round(point.y) };
}

function minimapColor({ id }: { readonly id: NodeId }): string {
  if (id.startsWith('server:')) return 'var(--server)';
  if (id.startsWith('function:')) return 'var(--function)';
  return id.startsWith('builtin:') ? 'var(--builtin)' : 'var(--agent)';
}
