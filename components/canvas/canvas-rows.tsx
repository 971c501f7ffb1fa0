'use client';

import { Command as CommandIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useAccess } from '@/components/access/access-context';
import { useProject } from '@/components/editor-state/project-context';
import { useIsPaletteOpen, usePalette } from '@/components/shell/palette-context';
import { canvasCommands, isPossible } from '@/lib/editor/editor-commands';
import type { CanvasKey } from './canvas-key';

/** Adds to the palette what the keys of the canvas do, while the canvas is shown. */
export function useCanvasRows(act: (key: CanvasKey) => void): void {
  const palette = usePalette();
  const isOpen = useIsPaletteOpen();
  const { rights } = useAccess();
  const selected = useProject((state) => state.selection.length);
  useEffect(() => {
    if (!isOpen) return;
    const rows = canvasCommands
      .filter((command) => isPossible(command, rights, selected))
      .map((command) => ({
        ...command,
        icon: <CommandIcon aria-hidden className="size-4 shrink-0 text-faint" />,
        does: () => act({ do: command.id }),
      }));
    palette.put('canvas', { title: 'Canvas', place: 15, isShort: true, rows });
    return () => palette.take('canvas');
  }, [palette, isOpen, rights, selected, act]);
}
