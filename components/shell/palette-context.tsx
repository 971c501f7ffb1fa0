'use client';

import { createContext, use, useEffect, useSyncExternalStore } from 'react';
import { createPalette, type Palette, type PaletteGroup } from './palette-store';

/** Pages of strangers have no palette: what they add to it is shown nowhere. */
export const PaletteContext = createContext<Palette>(createPalette());

/** Returns the command palette of the window, to open it. */
export function usePalette(): Palette {
  return use(PaletteContext);
}

/** Returns whether the palette is open. A page need not make its rows before. */
export function useIsPaletteOpen(): boolean {
  const palette = usePalette();
  return useSyncExternalStore(palette.subscribe, palette.isOpen, () => false);
}

/** Shows a group in the palette as long as the component is there. `name` is different for each group. */
export function usePaletteGroup(name: string, group: PaletteGroup): void {
  const palette = usePalette();
  useEffect(() => palette.put(name, group), [palette, name, group]);
  useEffect(() => () => palette.take(name), [palette, name]);
}
