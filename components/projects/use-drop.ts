'use client';

import { type DragEvent, useRef, useState } from 'react';
import { droppedEntries } from '@/lib/client/dropped-entries';
import { readDropped } from '@/lib/client/source-files';
import type { Upload } from './project-types';
import { uploadOf } from './upload-of';

/** Makes an element accept dropped folders, files and zips. `over` is true while something to drop is above it. */
export function useDrop(onUpload: (upload: Upload) => void, onError: (message: string) => void) {
  const [over, setOver] = useState(false);
  // Enter and leave events come for every child element, so they are counted to know whether the pointer is inside.
  const depth = useRef(0);

  const settle = () => {
    depth.current = 0;
    setOver(false);
  };
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      depth.current += 1;
      setOver(true);
    },
    onDragLeave: () => {
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop: async (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      event.stopPropagation();
      settle();
      const entries = droppedEntries(event.dataTransfer);
      try {
        const upload = uploadOf(await readDropped<File>(entries));
        if (upload) onUpload(upload);
        else onError('Nothing in what was dropped can be part of a project.');
      } catch {
        onError('The browser could not read what was dropped. Choose the folder instead.');
      }
    },
  };
  return { over, handlers };
}
