'use client';

import { ContextMenu } from 'radix-ui';
import { type ReactNode, type TouchEvent, useRef } from 'react';
import { later } from '@/components/ui/later';
import type { CanvasMenuProps } from './menu-target';

export const CanvasMenuItems = later(async () => (await import('./canvas-menu-items')).CanvasMenuItems, null);

/** The menu of the right mouse button (or the menu key) on the canvas. It acts on the thing under the pointer. */
export function CanvasMenu(props: CanvasMenuProps & { readonly children: ReactNode }) {
  /** The node that gets the focus back, if the menu was opened by a key. */
  const opener = useRef<HTMLElement>(null);
  /** True while the finger that opened the menu by a long press is down. */
  const isHeld = useRef(false);
  const onOpenChange = (open: boolean) => {
    isHeld.current = open;
    if (!open) return;
    const { activeElement } = document;
    const byKey = activeElement instanceof HTMLElement && activeElement.matches(':focus-visible');
    opener.current = byKey ? activeElement : null;
  };
  const onTouchStart = () => {
    isHeld.current = false;
  };
  const onTouchEnd = (event: TouchEvent) => {
    // Some browsers make a click of it, which would close the menu.
    if (isHeld.current) event.preventDefault();
    isHeld.current = false;
  };
  return (
    <ContextMenu.Root modal={false} onOpenChange={onOpenChange}>
      <ContextMenu.Trigger asChild onTouchStartCapture={onTouchStart} onTouchEndCapture={onTouchEnd}>
        {props.children}
      </ContextMenu.Trigger>
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
