'use client';

import { type RefObject, useEffect } from 'react';
import { uncoveredBottom } from './uncovered-place';

/**
 * Keeps a fixed element at the lower edge of the window, above the main buttons that it would cover there (`data-uncovered`). It looks
 * again when its size, the window, or by a click the page changes.
 */
export function useUncovering(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const shown = element.current;
    if (shown === null || typeof ResizeObserver === 'undefined') return;
    const place = () => {
      const box = shown.getBoundingClientRect();
      if (box.height === 0) return;
      const kept = [...document.querySelectorAll('[data-uncovered]')]
        .filter((one) => !shown.contains(one))
        .map((one) => one.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && height > 0);
      shown.style.bottom = `${uncoveredBottom(box, kept, window.innerHeight)}px`;
    };
    const placeSoon = () => requestAnimationFrame(place);
    const sizes = new ResizeObserver(place);
    sizes.observe(shown);
    window.addEventListener('resize', place);
    document.addEventListener('click', placeSoon, true);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', place);
      document.removeEventListener('click', placeSoon, true);
    };
  }, [element]);
}
