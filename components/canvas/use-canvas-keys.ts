'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useEffect } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import type { ProjectState } from '@/lib/editor/project-state';
import type { NodeId } from '@/lib/graph/graph';
import { type CanvasKey, canvasKey } from './canvas-key';
import { useCanvasRows } from './canvas-rows';
import { focusWhenDrawn } from './focus-when-drawn';
import { isForCanvas } from './for-canvas';
import type { OpenPicker } from './use-picker';
import { nextAfter, walk } from './walk';

/**
 * Handles the keys of the canvas. They work while the focus is in the canvas or nowhere, and never inside a field. Returns the
 * function that does what a key does.
 */
export function useCanvasKeys(
  frame: RefObject<HTMLElement | null>,
  fitAll: () => void,
  openPicker: OpenPicker,
): (key: CanvasKey) => void {
  const act = useCanvasAct(frame, fitAll, openPicker);
  const actions = useActions();
  const readProject = useReadProject();
  useCanvasRows(act);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;

    function onKeyDown(event: KeyboardEvent) {
      if (element === null || event.defaultPrevented || !isForCanvas(element, event.target)) return;
      const key = canvasKey(event, readProject().selection.length);
      if (key === undefined || (!readProject().mayEdit && changing.has(key.do))) return;
      // Escape is not stopped here, because it may close something on the page too.
      if (key.do !== 'select-nothing') event.preventDefault();
      act(key);
    }

    /**
     * When Tab moves the focus to a node, the node becomes the selection, as with the arrows. A click selects by itself.
     */
    function onFocusIn(event: FocusEvent) {
      if (!(event.target instanceof HTMLElement) || !event.target.matches('.react-flow__node:focus-visible')) return;
      const id = event.target.getAttribute('data-id');
      if (id !== null && !readProject().selection.includes(id)) actions.select([id]);
    }

    window.addEventListener('keydown', onKeyDown);
    element.addEventListener('focusin', onFocusIn);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('focusin', onFocusIn);
    };
  }, [frame, act, actions, readProject]);
  return act;
}

/** What people do not do who may only read the project. */
const changing: ReadonlySet<CanvasKey['do']> = new Set<CanvasKey['do']>([
  'duplicate',
  'rename',
  'remove',
  'add',
  'connect',
  'group',
  'move',
  'tidy',
]);

function useCanvasAct(
  frame: RefObject<HTMLElement | null>,
  fitAll: () => void,
  openPicker: OpenPicker,
): (key: CanvasKey) => void {
  const flow = useReactFlow();
  const actions = useActions();
  const commands = useCommands();
  const readProject = useReadProject();
  const focusNode = useFocusNode(frame);
  const removeAndGoOn = useRemoval(frame, focusNode);

  return useCallback(
    (key) => {
      const { picture, points, selection } = readProject();
      const last = selection.at(-1);
      switch (key.do) {
        case 'go': {
          const to = last === undefined ? picture.graph.nodes[0]?.id : walk(picture.graph, points, last, key.to);
          if (to === undefined) return;
          actions.select([to]);
          return focusNode(to);
        }
        case 'select-all':
          return actions.select(picture.graph.nodes.map((node) => node.id));
        case 'duplicate': {
          const node = selection.length === 1 && last !== undefined ? picture.nodes.get(last) : undefined;
          if (node?.kind === 'server') return commands.duplicateServer(node.name);
          const copied = commands.copy();
          if (copied !== undefined) commands.paste(copied);
          return;
        }
        case 'open':
          return last === undefined ? undefined : commands.open(last);
        case 'rename':
          return last === undefined ? undefined : commands.startRename(last);
        case 'remove':
          return removeAndGoOn();
        case 'select-nothing':
          actions.select([]);
          return actions.selectEdge(undefined);
        case 'fit':
          return fitAll();
        case 'fit-selection':
          return void flow.fitView({ padding: 0.3, maxZoom: 1.2, nodes: selection.map((id) => ({ id })) });
        case 'add':
          return openPicker({});
        case 'connect':
          return openPicker({ source: last });
        case 'next-wire':
          return actions.selectEdge(nextWire(readProject()));
        case 'group':
          return commands.group(selection);
        case 'move':
          return commands.nudge(key.by);
        case 'tidy':
          return void commands.tidy().then(fitAll);
      }
    },
    [flow, actions, commands, readProject, focusNode, fitAll, openPicker, removeAndGoOn],
  );
}

/**
 * Returns the wire after the selected one at its source, or the first wire of the selected node. Wires that start at the node
 * come first, because from one that ends there the next would be a wire of another node.
 */
function nextWire({ picture, selection, selectedEdge }: ProjectState): string | undefined {
  const { edges } = picture.graph;
  const now = edges.find(({ id }) => id === selectedEdge);
  const node = now?.source ?? selection.at(-1);
  const own = edges.filter(({ source }) => source === node);
  const wires = own.length > 0 ? own : edges.filter(({ target }) => target === node);
  const next = wires[(wires.findIndex(({ id }) => id === selectedEdge) + 1) % Math.max(wires.length, 1)];
  return next?.id ?? selectedEdge;
}

/**
 * Removes what is selected. The focus goes to a node beside it: a parent, a child or the next one of the list, otherwise to
 * the canvas.
 */
export function useRemoval(frame: RefObject<HTMLElement | null>, focusNode: (id: NodeId) => void): () => void {
  const actions = useActions();
  const commands = useCommands();
  const readProject = useReadProject();
  return useCallback(() => {
    const { picture, selection, selectedEdge } = readProject();
    const edge = picture.graph.edges.find(({ id }) => id === selectedEdge);
    if (edge === undefined && selection.length === 0) return;
    const next = edge === undefined ? nextAfter(picture.graph, selection) : edge.source;
    const goOn = () => {
      if (next !== undefined && readProject().picture.nodes.has(next)) {
        actions.select([next]);
        focusNode(next);
      } else frame.current?.focus({ preventScroll: true });
    };
    if (edge === undefined) commands.remove(selection, goOn);
    else {
      commands.removeEdge(edge.id);
      goOn();
    }
  }, [frame, focusNode, actions, commands, readProject]);
}

/**
 * Gives a node the keyboard focus. A node outside the view is not in the page, so the view moves there first. If the focus
 * moves elsewhere in the meantime, for example into a list that the next key opened, it stays there.
 */
export function useFocusNode(frame: RefObject<HTMLElement | null>): (id: NodeId) => void {
  const flow = useReactFlow();
  const readProject = useReadProject();
  return useCallback(
    (id) => {
      const find = () => frame.current?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
      const point = readProject().points[id];
      if (find() === null && point !== undefined) {
        void flow.setCenter(point.x + 112, point.y + 30, { zoom: flow.getZoom() });
      }
      focusWhenDrawn(find, [document.activeElement]);
    },
    [frame, flow, readProject],
  );
}
