'use client';

import { type RefObject, useEffect } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isAnnotation } from '@/lib/graph/annotation-lists';
import type { NodeId } from '@/lib/graph/graph';
import { isForCanvas } from './for-canvas';

/** Connects the browser's own copy, cut and paste events, which need no permission. */
export function useCanvasClipboard(frame: RefObject<HTMLElement | null>) {
  const commands = useCommands();
  const readProject = useReadProject();

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;

    function onClipboard(event: ClipboardEvent) {
      if (element === null || event.defaultPrevented) return;
      const isHere = isForCanvas(element, event.target) || (event.type === 'paste' && isInOutline(event.target));
      if (!isHere) return;
      if (event.type !== 'copy' && !readProject().mayEdit) return;
      if (event.type === 'paste') {
        if (commands.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
        return;
      }
      const copied = commands.copy();
      if (copied === undefined || document.getSelection()?.isCollapsed === false) return;
      event.clipboardData?.setData('text/plain', copied);
      event.preventDefault();
      // A selected server stays: other agents may use it, and it comes back only with an agent.
      if (event.type === 'cut') commands.remove(readProject().selection.filter(isCopied));
    }

    const clipboardEvents = ['copy', 'cut', 'paste'] as const;
    for (const name of clipboardEvents) window.addEventListener(name, onClipboard);
    return () => {
      for (const name of clipboardEvents) window.removeEventListener(name, onClipboard);
    };
  }, [frame, commands, readProject]);
}

function isInOutline(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="tree"][aria-label="Outline"]') !== null;
}

/** True for what a copy of the selection has itself, beside what belongs to it. */
function isCopied(id: NodeId): boolean {
  return id.startsWith('agent:') || isAnnotation(id);
}
