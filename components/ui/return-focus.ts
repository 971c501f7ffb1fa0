'use client';

import { useRef } from 'react';

/** The element that had the focus when a dialog opened. For a menu item, which is gone by then, the menu's button. */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]');
  const button = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
  return button instanceof HTMLElement ? button : null;
}

/**
 * Handlers for a modal that is opened by state and not by a trigger of its own: focus goes back to what opened it, or to
 * the page when that is gone.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = openerOf(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      back?.focus({ preventScroll: true });
    },
  };
}
