'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { useReadProject } from '@/components/editor-state/project-context';
import { useCommands } from '@/components/editor-state/use-commands';
import { isForCanvas } from './for-canvas';
import { useFileDrop } from './use-file-drop';

/** Connects the browser's own copy, cut and paste events, which need no permission. */
export function useCanvasClipboard(frame: RefObject<HTMLElement | null>) {
  const commands = useCommands();
  const readProject = useReadProject();
  const pasteFiles = useFileDrop().paste;
  const latest = useRef(pasteFiles);
  useEffect(() => {
    latest.current = pasteFiles;
  });

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;

    function onClipboard(event: ClipboardEvent) {
      if (element === null || event.defaultPrevented) return;
      const isHere = isForCanvas(element, event.target) || (event.type === 'paste' && isInOutline(event.target));
      if (!isHere) return;
      if (event.type !== 'copy' && !readProject().mayEdit) return;
      if (event.type === 'paste') {
        const hasFiles = event.clipboardData !== null && latest.current(event.clipboardData);
        if (hasFiles || commands.paste(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
        return;
      }
      if (document.getSelection()?.isCollapsed === false) return;
      const copied = event.type === 'cut' ? commands.cut() : commands.copy();
      if (copied === undefined) return;
      event.clipboardData?.setData('text/plain', copied);
      event.preventDefault();
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
