'use client';

import {
  applyNodeChanges,
  type Connection,
  type FinalConnectionState,
  type NodeChange,
  useReactFlow,
} from '@xyflow/react';
import {
  type Dispatch,
  type MouseEvent as ReactMouseEvent,
  type SetStateAction,
  useCallback,
  useMemo,
  useState,
} from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import type { NodeId, Point } from '@/lib/graph/graph';
import { canConnect } from '@/lib/graph/rules';
import type { CanvasNode } from './annotation-model';
import type { FlowEdge } from './flow-model';
import type { OpenPicker } from './use-picker';
import { useGuides } from './use-snap';

/**
 * Handles gestures on nodes and wires, each of which ends in one command. The handlers never change, because React Flow
 * looks at every node again when a prop changes.
 */
export function useGestures(
  setNodes: Dispatch<SetStateAction<CanvasNode[]>>,
  openPicker: OpenPicker,
  wireAt: (screen: Point) => string | undefined,
) {
  const actions = useActions();
  const commands = useCommands();
  const [connecting, setConnecting] = useState(false);
  const flow = useReactFlow<CanvasNode, FlowEdge>();
  const { snap, guides, clear } = useGuides(flow.getZoom);
  const onNodesChange = useNodesChange(setNodes, flow.getNodes, snap);
  const onDragStop = useDragStop();
  const isValidConnection = useIsValid();
  const handlers = useMemo(
    () => ({
      onNodesChange,
      onNodeDragStop: (_: unknown, __: CanvasNode, dragged: CanvasNode[]) => {
        clear();
        onDragStop(dragged);
      },
      onNodeDoubleClick: (_: unknown, node: CanvasNode) => {
        if (isAnnotation(node.id)) commands.startRename(node.id);
        else commands.open(node.id);
      },
      onEdgeClick: (_: unknown, edge: FlowEdge) =>
        actions.selectEdge(edge.type === 'flow' ? edge.data?.flow.edge : edge.id),
      onPaneClick: ({ clientX: x, clientY: y }: ReactMouseEvent) => {
        const wire = wireAt({ x, y });
        if (wire === undefined) actions.select([]);
        actions.selectEdge(wire);
      },
      onConnectStart: () => setConnecting(true),
      onConnectEnd: (event: MouseEvent | TouchEvent, { fromNode, fromHandle, toNode }: FinalConnectionState) => {
        setConnecting(false);
        // Dropped on empty canvas: the node at the other end can be chosen there. At a server or a function, that is its user.
        if (fromNode === null || toNode !== null) return;
        if (fromHandle?.type !== 'source' && fromNode.type !== 'resource') return;
        const { clientX: x, clientY: y } = 'changedTouches' in event ? (event.changedTouches[0] ?? noPlace) : event;
        openPicker({ screen: { x, y }, source: fromNode.id });
      },
      onConnect: ({ source, target }: Connection) => commands.connect(source, target),
      isValidConnection,
    }),
    [actions, commands, onNodesChange, onDragStop, isValidConnection, openPicker, clear, wireAt],
  );
  return { connecting, handlers, guides };
}

/**
 * Removal goes through a command, and selection through the store. All other changes are part of a gesture that still
 * lasts.
 */
function useNodesChange(
  setNodes: Dispatch<SetStateAction<CanvasNode[]>>,
  readNodes: () => CanvasNode[],
  snap: ReturnType<typeof useGuides>['snap'],
) {
  const actions = useActions();
  const readProject = useReadProject();
  return useCallback(
    (changes: NodeChange<CanvasNode>[]) => {
      const gestures = changes.filter((change) => change.type !== 'remove' && change.type !== 'select');
      const own = gestures.some(isDrag) ? snap(gestures, readNodes()) : gestures;
      if (own.length > 0) setNodes((previous) => applyNodeChanges([...own, ...membersAlong(own, previous)], previous));
      const picks = changes.filter((change) => change.type === 'select');
      if (picks.length === 0) return;
      const selected = new Set<NodeId>(readProject().selection);
      for (const pick of picks) {
        if (pick.selected) selected.add(pick.id);
        else selected.delete(pick.id);
      }
      actions.select([...selected]);
    },
    [actions, readProject, setNodes, readNodes, snap],
  );
}

function isDrag(change: NodeChange<CanvasNode>): boolean {
  return change.type === 'position' && change.dragging === true;
}

/** Returns the moves of members whose group is being dragged, unless they are dragged themselves. */
function membersAlong(changes: readonly NodeChange<CanvasNode>[], nodes: readonly CanvasNode[]) {
  const moves = changes.filter((change) => change.type === 'position');
  const own = new Set(moves.map(({ id }) => id));
  return moves.flatMap(({ id, position }) => {
    const frame = id.startsWith('group:') ? nodes.find((node) => node.id === id) : undefined;
    if (frame?.type !== 'frame' || position === undefined) return [];
    const [dx, dy] = [position.x - frame.position.x, position.y - frame.position.y];
    const members = new Set(frame.data.frame.members.filter((member) => !own.has(member)));
    return nodes.flatMap((node) =>
      members.has(node.id)
        ? [{ id: node.id, type: 'position' as const, position: { x: node.position.x + dx, y: node.position.y + dy } }]
        : [],
    );
  });
}

/** Saves where nodes are after a drag. A frame has no place of its own, so its members are saved. */
function useDragStop() {
  const commands = useCommands();
  const readProject = useReadProject();
  const flow = useReactFlow<CanvasNode, FlowEdge>();
  return useCallback(
    (dragged: readonly CanvasNode[]) => {
      const { points, picture } = readProject();
      const notes = picture.drawn.settings.canvas.notes.map((note) => [`note:${note.id}`, note] as const);
      const shown = new Map<NodeId, Point>([...Object.entries(points), ...notes]);
      const ids = new Set(dragged.flatMap((node) => (node.type === 'frame' ? node.data.frame.members : [node.id])));
      const now = new Map(dragged.map((node) => [node.id, node]));
      const moved = [...ids].flatMap((id) => {
        const node = now.get(id) ?? flow.getNode(id);
        if (node === undefined) return [];
        const [at, was] = [rounded(node.position), shown.get(id)];
        return was?.x === at.x && was.y === at.y ? [] : [[id, at] as const];
      });
      if (moved.length > 0) commands.move(Object.fromEntries(moved));
    },
    [commands, readProject, flow],
  );
}

const noPlace = { clientX: 0, clientY: 0 };

function useIsValid() {
  const readProject = useReadProject();
  return useCallback(
    ({ source, target }: Connection | FlowEdge) => {
      const { drawn, graph } = readProject().picture;
      return canConnect(graph, drawn, source, target).ok;
    },
    [readProject],
  );
}

function rounded(point: Point): Point {
  return { x: Math.round(point.x), y: Math.round(point.y) };
}
