'use client';

import { useRef } from 'react';

/**
 * Returns the element that had the focus when a dialog opened. For a menu item, which is gone by then, it is the menu's
 * button.
 */
function openerOf(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]');
  const button = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element;
  return button instanceof HTMLElement ? button : null;
}

/**
 * Returns handlers for a modal that is opened by state and not by a trigger of its own. The focus goes back to the element
 * that opened it, or to the page when that is gone, unless something else has the focus by then.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = openerOf(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      // What the dialog opened (a text, a name field) may have taken the focus already.
      const now = document.activeElement;
      if (now !== null && now !== document.body && now !== event.target) return;
      const back = opener.current?.isConnected ? opener.current : document.getElementById('main');
      back?.focus({ preventScroll: true });
    },
  };
}
