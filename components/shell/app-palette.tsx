'use client';

import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { showToast } from '@/components/ui/toast';
import type { PlaceNeed } from '@/lib/client/app-places';
import { hearReach } from '@/lib/client/reach';
import { unreachable } from '@/lib/client/unreachable';
import { type EarlyKeys, keepKey, noEarlyKeys } from './early-keys';
import { PaletteContext, useIsPaletteOpen, usePalette } from './palette-context';
import type { PaletteDialogProps } from './palette-dialog-props';
import { createPalette, type Palette } from './palette-store';

/** The list is loaded when it is first asked for. */
const load = async () => (await import('./palette-dialog')).PaletteDialog;

/** Gives every page the command palette, which Mod+K opens. A text editor that has used the key keeps it. */
export function AppPalette(props: { readonly met: readonly PlaceNeed[]; readonly children: ReactNode }) {
  const [palette] = useState(createPalette);
  const [early] = useState(noEarlyKeys);
  useKeys(palette, early);
  return (
    <PaletteContext value={palette}>
      {props.children}
      <LoadedPalette met={props.met} early={early} />
    </PaletteContext>
  );
}

function useKeys(palette: Palette, early: EarlyKeys) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The first half of the keys is enough to load the list.
      if (event.key === 'Control' || event.key === 'Meta') void load().catch(() => undefined);
      if (event.defaultPrevented || event.altKey || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if (event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      palette.setOpen(true);
    };
    /** Hears a key before the page does. */
    const onEarlyKey = (event: KeyboardEvent) => {
      if (early.isOver || !palette.isOpen()) return;
      const kept = keepKey(early, event);
      if (kept === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (kept === 'close') {
        Object.assign(early, noEarlyKeys());
        palette.setOpen(false);
      }
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('keydown', onEarlyKey, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('keydown', onEarlyKey, { capture: true });
    };
  }, [palette, early]);
}

function LoadedPalette(props: PaletteDialogProps) {
  const palette = usePalette();
  const isOpen = useIsPaletteOpen();
  const [Dialog, setDialog] = useState<ComponentType<PaletteDialogProps>>();
  useEffect(() => {
    if (!isOpen || Dialog !== undefined) return;
    load().then(
      (loaded) => setDialog(() => loaded),
      () => {
        Object.assign(props.early, noEarlyKeys());
        palette.setOpen(false);
        hearReach(false);
        showToast({ tone: 'bad', text: unreachable });
      },
    );
  }, [isOpen, Dialog, palette, props.early]);
  return Dialog === undefined ? null : <Dialog {...props} />;
}
