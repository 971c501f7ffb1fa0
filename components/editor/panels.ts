'use client';

import { useMedia } from '@/components/ui/use-media';

/** Where the panels remember themselves, their first size in pixels, and whether they are open at first. */
const wide = {
  left: { key: 'editor.outline', size: 232, open: true },
  right: { key: 'editor.inspector', size: 360, open: true },
  dock: { key: 'editor.dock', size: 264, open: true },
} as const;

/** As on a tablet: the canvas keeps most of the width, and the outline opens when it is asked for. */
const medium = {
  left: { key: 'editor.outline.medium', size: 232, open: false },
  right: { key: 'editor.inspector.medium', size: 300, open: true },
  dock: wide.dock,
} as const;

/** The panels for the width of the window. */
export function usePanels(): typeof wide | typeof medium {
  return useMedia('(max-width: 1000px)') ? medium : wide;
}
