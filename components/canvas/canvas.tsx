'use client';

import {
  MarkerType,
  ReactFlow,
  type ReactFlowProps,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import './canvas.css';
import { type DragEvent, type MouseEvent, type RefObject, startTransition, useCallback, useRef, useState } from 'react';
import { paletteType } from '@/components/editor-state/palette-type';
import { useActions, useProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { rowParts } from '@/components/hooks/hook-row';
import { HoverCard, LastCallCard } from '@/components/last-run/hover-card';
import { later, useLoadedWhenIdle } from '@/components/ui/later';
import { addedOf } from '@/lib/editor/add-rows';
import { gridPx } from '@/lib/graph/arrange';
import type { Point } from '@/lib/graph/graph';
import { AgentNode } from './agent-node';
import type { CanvasNode } from './annotation-model';
import { CanvasControls } from './canvas-controls';
import { CanvasMenu, CanvasMenuItems } from './canvas-menu';
import { ConnectionWire } from './connection-wire';
import { distanceOf } from './distance';
import { Dots } from './dots';
import { FarWires, useFarWires } from './far-wires';
import { FlowLine } from './flow-line';
import type { FlowEdge } from './flow-model';
import { FrameNode } from './frame-node';
import { GuideLines } from './guide-lines';
import type { MenuTarget } from './menu-target';
import { NoteNode } from './note-node';
import { ResourceNode } from './resource-node';
import { SelectionTools } from './selection-tools';
import { useCanvasClipboard } from './use-canvas-clipboard';
import { useCanvasKeys, useFocusNode, useRemoval } from './use-canvas-keys';
import { useFileDrop } from './use-file-drop';
import { useFlowGraph } from './use-flow-graph';
import { useGestures } from './use-gestures';
import { useHomeView } from './use-home-view';
import { useIsWhole } from './use-is-whole';
import { type CanvasMemory, useKeptView } from './use-kept-view';
import { useKnownSizes } from './use-known-sizes';
import { useMenuKey } from './use-menu-key';
import { useMoving } from './use-moving';
import { usePicker } from './use-picker';
import { useReveal } from './use-reveal';
import { useSnapKind } from './use-snap';
import { Wire } from './wire';

const Overview = later(async () => (await import('./overview')).Overview, null);
const NodePicker = later(async () => (await import('./node-picker')).NodePicker, null);
/** What the canvas opens. */
const opened = [CanvasMenuItems, LastCallCard, NodePicker, ...rowParts];

const nodeTypes = { agent: AgentNode, resource: ResourceNode, note: NoteNode, frame: FrameNode };
const edgeTypes = { wire: Wire, flow: FlowLine };
const edgeDefaults = {
  markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'var(--faint)' },
};

/** Settings of React Flow that never change. A new object would make it look at every node again. */
const settings = {
  nodeTypes,
  edgeTypes,
  defaultEdgeOptions: edgeDefaults,
  connectionLineComponent: ConnectionWire,
  connectionRadius: 24,
  onlyRenderVisibleElements: true,
  disableKeyboardA11y: true,
  deleteKeyCode: null,
  multiSelectionKeyCode: ['Meta', 'Control', 'Shift'],
  selectionKeyCode: 'Shift',
  selectionMode: SelectionMode.Partial,
  elevateNodesOnSelect: false,
  zoomOnDoubleClick: false,
  edgesFocusable: false,
  minZoom: 0.02,
  maxZoom: 2,
  proOptions: { hideAttribution: false },
} as const satisfies Partial<ReactFlowProps<CanvasNode, FlowEdge>>;

const origin: Point = { x: 0, y: 0 };
const onGridOnly = { snapToGrid: true, snapGrid: [gridPx, gridPx] } satisfies Partial<ReactFlowProps>;
const noGrid = { snapToGrid: false } satisfies Partial<ReactFlowProps>;

/** With at most this many nodes there is no overview, because all of them are in view and it would cover some. */
const seenAtOnce = 12;

export interface CanvasProps {
  /** Keeps the view while the canvas is not on the page. */
  readonly memory?: RefObject<CanvasMemory | undefined>;
}

/** Shows the graph and edits it by gestures. A gesture ends in one command; until then only React Flow has its state. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <CanvasBody {...props} />
    </ReactFlowProvider>
  );
}

function CanvasBody({ memory }: CanvasProps) {
  const commands = useCommands();
  const flow = useReactFlow<CanvasNode, FlowEdge>();
  const frame = useRef<HTMLElement>(null);
  const [menuTarget, setMenuTarget] = useState<MenuTarget>({ kind: 'pane', at: origin, screen: origin });
  const { nodes, edges, setNodes } = useFlowGraph();
  const picker = usePicker(frame);
  const wires = useFarWires(edges, nodes);
  useKnownSizes();
  useLoadedWhenIdle(opened);
  const { connecting, handlers, guides } = useGestures(setNodes, picker.open, wires.wireAt);
  const selection = useProject((state) => state.selection);
  const mayEdit = useProject((state) => state.mayEdit);
  const nodeCount = useProject((state) => state.picture.graph.nodes.length);
  const drop = useDrops();
  const { goHome, fitAll } = useHomeView(frame);
  const kept = useKeptView(memory);
  // The overview is drawn after the graph itself.
  const [settled, setSettled] = useState(false);
  const onInit = useCallback(() => {
    if (kept === undefined) goHome();
    startTransition(() => setSettled(true));
  }, [goHome, kept]);
  const act = useCanvasKeys(frame, fitAll, picker.open);
  const tidy = () => act({ do: 'tidy' });
  useCanvasClipboard(frame);
  useReveal(frame, selection, kept);
  const moving = useMoving(frame);
  const distance = useStore(distanceOf);
  const isWhole = useIsWhole();
  const menuEdge = useMenuKey(frame);
  const focusNode = useFocusNode(frame);
  const removeAndGoOn = useRemoval(frame, focusNode);
  const [snapKind] = useSnapKind();
  const snapping = snapKind === 'grid' ? onGridOnly : noGrid;

  const aim = (event: MouseEvent) =>
    setMenuTarget(targetOf(event, flow.screenToFlowPosition, menuEdge.current, wires.wireAt));

  return (
    <CanvasMenu target={menuTarget} openPicker={picker.open} onRemove={removeAndGoOn} onTidy={tidy}>
      <section
        ref={frame}
        aria-label="Graph"
        data-region="canvas"
        tabIndex={-1}
        className={`cb-canvas relative h-full min-h-0 w-full ${connecting ? 'cb-connecting' : ''} cb-${distance}`}
        {...drop}
        onContextMenuCapture={aim}
        // Some phones open the menu of a long press without an event of their own.
        onPointerDownCapture={(event) => event.isPrimary && event.pointerType !== 'mouse' && aim(event)}
      >
        <ReactFlow<CanvasNode, FlowEdge>
          {...settings}
          {...handlers}
          nodes={nodes}
          edges={wires.near}
          {...(kept === undefined ? {} : { defaultViewport: kept.view })}
          onInit={onInit}
          {...moving}
          {...snapping}
          nodesDraggable={mayEdit}
          nodesConnectable={mayEdit}
        >
          <FarWires wires={wires.far} />
          <Dots />
          <CanvasControls mayEdit={mayEdit} onFit={fitAll} onTidy={tidy} />
          {mayEdit && <SelectionTools onRemove={removeAndGoOn} />}
          <GuideLines guides={guides} />
          {settled && nodeCount > seenAtOnce && !isWhole ? <Overview nodes={nodes} /> : null}
        </ReactFlow>
        <HoverCard frame={frame} />
        {picker.request === undefined ? null : (
          <NodePicker request={picker.request} onClose={picker.close} focusNode={focusNode} />
        )}
        {nodeCount === 0 ? <EmptyCanvas onAdd={mayEdit ? () => commands.addAgent(undefined) : undefined} /> : null}
      </section>
    </CanvasMenu>
  );
}

/** An agent or a server that is dragged here from the side panel is added where it is dropped. */
function useDrops() {
  const files = useFileDrop();
  const actions = useActions();
  const commands = useCommands();
  const flow = useReactFlow<CanvasNode, FlowEdge>();
  return {
    onDragOver(event: DragEvent) {
      if (!files.over(event) && event.dataTransfer.types.includes(paletteType)) event.preventDefault();
    },
    onDrop(event: DragEvent) {
      if (files.drop(event)) return;
      const what = event.dataTransfer.getData(paletteType);
      const screen = { x: event.clientX, y: event.clientY };
      const added = addedOf(what);
      if (added === 'function' || added === 'hook') actions.show({ picking: { what: added, screen } });
      else if (added !== undefined) {
        commands.add(added, { at: flow.screenToFlowPosition(screen), source: undefined, user: undefined });
      }
    },
  };
}

function EmptyCanvas({ onAdd }: { readonly onAdd: (() => void) | undefined }) {
  return (
    <div className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center gap-3 text-center">
      <p className="text-sm text-muted">Agents of this project will appear here.</p>
      {onAdd !== undefined && (
        <button
          type="button"
          onClick={onAdd}
          className="pointer-events-auto rounded border border-line-strong bg-surface px-3 py-1.5 text-sm font-medium hover:bg-hover"
        >
          Add the first agent
        </button>
      )}
    </div>
  );
}

function targetOf(
  event: MouseEvent,
  toFlow: (at: Point) => Point,
  byKey: string | undefined,
  wireAt: (screen: Point) => string | undefined,
): MenuTarget {
  const screen = { x: event.clientX, y: event.clientY };
  const at = toFlow(screen);
  if (byKey !== undefined) return { kind: 'edge', id: byKey, at };
  const element = event.target instanceof Element ? event.target : undefined;
  const nodeId = element?.closest('.react-flow__node')?.getAttribute('data-id');
  if (nodeId) return { kind: 'node', id: nodeId, at };
  const edgeId =
    element?.closest('[data-edge]')?.getAttribute('data-edge') ??
    element?.closest('.react-flow__edge')?.getAttribute('data-id') ??
    wireAt(screen);
  if (edgeId) return { kind: 'edge', id: edgeId, at };
  return { kind: 'pane', at, screen };
}
