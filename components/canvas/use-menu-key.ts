'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { isForCanvas } from './for-canvas';

/**
 * Opens the menu by `Shift+F10` or the menu key for what cannot have the focus: a selected wire, otherwise the canvas. A
 * node with the focus has the browser's own event. Returns the wire that the menu being opened is for.
 */
export function useMenuKey(frame: RefObject<HTMLElement | null>): RefObject<string | undefined> {
  const readProject = useReadProject();
  const edge = useRef<string>(undefined);
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const element = frame.current;
      const isMenu = event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey);
      if (!isMenu || element === null || event.defaultPrevented || !isForCanvas(element, event.target)) return;
      const { selectedEdge } = readProject();
      const onNode = event.target instanceof Element && event.target.closest('.react-flow__node') !== null;
      if (onNode && selectedEdge === undefined) return;
      event.preventDefault();
      const wire = element.querySelector(`.react-flow__edge[data-id="${CSS.escape(selectedEdge ?? '')}"]`);
      const box = (wire ?? element).getBoundingClientRect();
      const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
      edge.current = selectedEdge;
      element.dispatchEvent(new MouseEvent('contextmenu', { ...at, bubbles: true, cancelable: true, button: 2 }));
      edge.current = undefined;
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [frame, readProject]);
  return edge;
}
