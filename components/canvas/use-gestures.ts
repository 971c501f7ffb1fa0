'use client';

import { applyNodeChanges, type Connection, type NodeChange } from '@xyflow/react';
import { type Dispatch, type SetStateAction, useCallback, useMemo, useState } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { NodeId, Point } from '@/lib/graph/graph';
import { canConnect } from '@/lib/graph/rules';
import type { FlowEdge, FlowNode } from './flow-model';

/**
 * Handles gestures on nodes and wires, each of which ends in one command. The handlers never change, because React Flow
 * looks at every node again when a prop changes.
 */
export function useGestures(setNodes: Dispatch<SetStateAction<FlowNode[]>>) {
  const actions = useActions();
  const commands = useCommands();
  const [connecting, setConnecting] = useState(false);
  const onNodesChange = useNodesChange(setNodes);
  const onDragStop = useDragStop();
  const isValidConnection = useIsValid();
  const handlers = useMemo(
    () => ({
      onNodesChange,
      onNodeDragStop: (_: unknown, __: FlowNode, dragged: FlowNode[]) => onDragStop(dragged),
      onNodeDoubleClick: (_: unknown, node: FlowNode) => commands.open(node.id),
      onEdgeClick: (_: unknown, edge: FlowEdge) =>
        actions.selectEdge(edge.type === 'flow' ? edge.data?.flow.edge : edge.id),
      onPaneClick: () => {
        actions.select([]);
        actions.selectEdge(undefined);
      },
      onConnectStart: () => setConnecting(true),
      onConnectEnd: () => setConnecting(false),
      onConnect: ({ source, target }: Connection) => commands.connect(source, target),
      isValidConnection,
    }),
    [actions, commands, onNodesChange, onDragStop, isValidConnection],
  );
  return { connecting, handlers };
}

/**
 * Removal goes through a command, and selection through the store. All other changes are part of a gesture that still
 * lasts.
 */
function useNodesChange(setNodes: Dispatch<SetStateAction<FlowNode[]>>) {
  const actions = useActions();
  const readProject = useReadProject();
  return useCallback(
    (changes: NodeChange<FlowNode>[]) => {
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
    [actions, readProject, setNodes],
  );
}

function useDragStop() {
  const commands = useCommands();
  const readProject = useReadProject();
  return useCallback(
    (dragged: readonly FlowNode[]) => {
      const shown = readProject().points;
      const moved = dragged
        .map((node) => [node.id, rounded(node.position)] as const)
        .filter(([id, at]) => shown[id]?.x !== at.x || shown[id]?.y !== at.y);
      if (moved.length > 0) commands.move(Object.fromEntries(moved));
    },
    [commands, readProject],
  );
}

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
