'use client';

import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useActions, useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { type Direction, walk } from './walk';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The keys of the canvas: they work while the focus is in it or nowhere, and never inside a field. */
export function useCanvasKeys(frame: RefObject<HTMLElement | null>, goHome: () => void) {
  const flow = useReactFlow();
  const actions = useActions();
  const commands = useCommands();
  const readProject = useReadProject();

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;

    function go(direction: Direction) {
      const { picture, points, selection } = readProject();
      const from = selection.at(-1);
      const to = from === undefined ? picture.graph.nodes[0]?.id : walk(picture.graph, points, from, direction);
      if (to === undefined) return;
      actions.select([to]);
      focusNode(to);
    }

    /** A node outside the view is not in the page: the view goes there first. */
    function focusNode(id: string) {
      const find = () => element?.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
      const point = readProject().points[id];
      if (find() === null && point !== undefined) {
        flow.setCenter(point.x + 112, point.y + 30, { zoom: flow.getZoom() });
      }
      requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })));
    }

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || !isForCanvas(element, event.target)) return;
      const mod = event.metaKey || event.ctrlKey;
      const { selection, selectedEdge, picture } = readProject();
      const only = selection.length === 1 ? selection[0] : undefined;
      const done = () => event.preventDefault();
      const direction = arrows[event.key];
      if (direction !== undefined && !mod) {
        done();
        go(direction);
      } else if (mod && event.key.toLowerCase() === 'a') {
        done();
        actions.select(picture.graph.nodes.map((node) => node.id));
      } else if (mod && event.key.toLowerCase() === 'd') {
        done();
        const copied = commands.copy();
        if (copied !== undefined) commands.paste(copied);
      } else if (mod || event.altKey) {
        return;
      } else if (event.key === 'Enter' && only !== undefined) {
        done();
        commands.open(only);
      } else if (event.key === 'F2' && only !== undefined) {
        done();
        commands.startRename(only);
      } else if (event.key === 'Delete' || event.key === 'Backspace') {
        done();
        if (selectedEdge !== undefined) commands.removeEdge(selectedEdge);
        else if (selection.length > 0) commands.remove(selection);
      } else if (event.key === 'Escape') {
        actions.select([]);
        actions.selectEdge(undefined);
      } else if (event.key === '1') {
        done();
        goHome();
      } else if (event.key === '2' && selection.length > 0) {
        done();
        void flow.fitView({ padding: 0.3, maxZoom: 1.2, nodes: selection.map((id) => ({ id })) });
      } else if (event.key.toLowerCase() === 'n') {
        done();
        commands.addAgent(undefined);
      } else if (event.key === 'L') {
        done();
        commands.layOut();
      }
    }

    /** Tab lands on a node: it becomes the selection, as with the arrows. A click selects by itself. */
    function onFocusIn(event: FocusEvent) {
      if (!(event.target instanceof HTMLElement) || !event.target.matches('.react-flow__node:focus-visible')) return;
      const id = event.target.getAttribute('data-id');
      if (id !== null && !readProject().selection.includes(id)) actions.select([id]);
    }

    /** The browser's own copy, cut and paste: they need no permission. */
    function onClipboard(event: ClipboardEvent) {
      if (event.defaultPrevented || !isForCanvas(element, event.target)) return;
      if (event.type === 'paste') {
        if (commands.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
        return;
      }
      const copied = commands.copy();
      if (copied === undefined || document.getSelection()?.isCollapsed === false) return;
      event.clipboardData?.setData('text/plain', copied);
      event.preventDefault();
      if (event.type === 'cut') commands.remove(readProject().selection);
    }

    const clipboardEvents = ['copy', 'cut', 'paste'] as const;
    for (const name of clipboardEvents) window.addEventListener(name, onClipboard);
    window.addEventListener('keydown', onKeyDown);
    element.addEventListener('focusin', onFocusIn);
    return () => {
      for (const name of clipboardEvents) window.removeEventListener(name, onClipboard);
      window.removeEventListener('keydown', onKeyDown);
      element.removeEventListener('focusin', onFocusIn);
    };
  }, [frame, flow, actions, commands, readProject, goHome]);
}

/** Inside the canvas, or nowhere in particular (a click on the pane leaves the focus on the page). */
function isForCanvas(canvas: HTMLElement | null, target: EventTarget | null): boolean {
  if (canvas === null || !(target instanceof HTMLElement)) return false;
  if (canvas.offsetParent === null) return false;
  if (target.closest('input, textarea, select, [contenteditable="true"]') !== null) return false;
  return canvas.contains(target) || target === document.body || target.id === 'main';
}
