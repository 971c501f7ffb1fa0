'use client';

import { useMedia } from '@/components/ui/use-media';

/** For each panel: the key under which its size is stored, its first size in pixels, and whether it is open at first. */
const wide = {
  left: { key: 'editor.outline', size: 232, open: true },
  right: { key: 'editor.inspector', size: 360, open: true },
  text: { key: 'editor.text', size: 620, open: true },
  dock: { key: 'editor.dock', size: 264, open: true },
} as const;

/** The panels for the width of a tablet, where the canvas keeps most of the room and the outline is closed at first. */
const medium = {
  left: { key: 'editor.outline.medium', size: 232, open: false },
  right: { key: 'editor.inspector.medium', size: 348, open: true },
  text: { key: 'editor.text.medium', size: 480, open: true },
  dock: wide.dock,
} as const;

/** Returns the panels for the width of the window. */
export function usePanels(): typeof wide | typeof medium {
  return useMedia('(max-width: 1000px)') ? medium : wide;
}
