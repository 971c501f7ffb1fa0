'use client';

import { type DragEvent, useRef, useState } from 'react';
import type { Upload } from './project-types';
import { type DroppedEntry, readDropped } from './source-files';
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
      // Entries must be taken before the first await, because the list is emptied when the event is over.
      const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
      try {
        const upload = uploadOf(await readDropped<File>(entries.map(asDropped)));
        if (upload) onUpload(upload);
        else onError('Nothing in what was dropped can be part of a project.');
      } catch {
        onError('The browser could not read what was dropped. Choose the folder instead.');
      }
    },
  };
  return { over, handlers };
}

/**
 * The type of the entry is checked by its fields, because the DOM's types know only the base class, and Chromium has no
 * globals for `instanceof`.
 */
function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function asDropped(entry: FileSystemEntry): DroppedEntry<File> {
  if (isFolder(entry)) {
    return {
      isDirectory: true,
      name: entry.name,
      createReader: () => {
        const reader = entry.createReader();
        return { readEntries: (done, failed) => reader.readEntries((found) => done(found.map(asDropped)), failed) };
      },
    };
  }
  return {
    isDirectory: false,
    name: entry.name,
    file: (done, failed) => (isFile(entry) ? entry.file(done, failed) : failed(new Error('Neither file nor folder.'))),
  };
}
