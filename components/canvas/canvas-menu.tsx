'use client';

import { ContextMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { later } from '@/components/ui/later';
import type { CanvasMenuProps } from './menu-target';

export const CanvasMenuItems = later(async () => (await import('./canvas-menu-items')).CanvasMenuItems, null);

/** The menu of the right mouse button (or the menu key) on the canvas. It acts on the thing under the pointer. */
export function CanvasMenu(props: CanvasMenuProps & { readonly children: ReactNode }) {
  /** The node that gets the focus back, if the menu was opened by a key. */
  const opener = useRef<HTMLElement>(null);
  const onOpenChange = (open: boolean) => {
    if (!open) return;
    const { activeElement } = document;
    const byKey = activeElement instanceof HTMLElement && activeElement.matches(':focus-visible');
    opener.current = byKey ? activeElement : null;
  };
  return (
    <ContextMenu.Root modal={false} onOpenChange={onOpenChange}>
      <ContextMenu.Trigger asChild>{props.children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          collisionPadding={8}
          className="z-50 min-w-52 rounded-lg border bg-raised p-1 shadow-pop"
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            // After "Rename", a field has the focus by now.
            if (document.activeElement === document.body) opener.current?.focus({ preventScroll: true });
          }}
        >
          <CanvasMenuItems {...props} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
