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
 * that opened it, or to the page when that is gone, unless something else has the focus by then. A field with `data-first-focus` gets the
 * focus first, otherwise what comes first.
 */
export function useReturnFocus() {
  const opener = useRef<HTMLElement>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = openerOf(document.activeElement);
      // `autoFocus` does not do it over another dialog, which takes the focus back until this one is open.
      const first = event.target instanceof Element ? event.target.querySelector('[data-first-focus]') : null;
      if (!(first instanceof HTMLElement)) return;
      event.preventDefault();
      first.focus();
      // What is in the field already is not selected, so that the next key does not replace it.
      if (first instanceof HTMLInputElement) first.setSelectionRange(first.value.length, first.value.length);
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
