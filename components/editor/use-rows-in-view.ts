'use client';

import { type RefObject, useEffect, useState } from 'react';
import { type RowRange, rowsAtFirst, rowsInView } from '@/lib/editor/rows-in-view';

/**
 * Follows which rows of a list are in view. The list has `count` rows of one height and is inside a `data-scrolls` element, which
 * scrolls it.
 */
export function useRowsInView(list: RefObject<HTMLElement | null>, count: number): RowRange {
  const [range, setRange] = useState(rowsAtFirst);
  useEffect(() => {
    const shown = list.current;
    const view = shown?.closest('[data-scrolls]');
    if (!shown || !view) return;
    const measure = () => {
      const [outer, inner] = [view.getBoundingClientRect(), shown.getBoundingClientRect()];
      const now = rowsInView({
        viewTop: outer.top - inner.top,
        viewHeight: outer.height,
        rowHeight: inner.height / count,
      });
      setRange((before) => (before.from === now.from && before.to === now.to ? before : now));
    };
    view.addEventListener('scroll', measure, { passive: true });
    // It also reports the first size, and a panel that is shown after it was hidden.
    const sizes = new ResizeObserver(measure);
    sizes.observe(view);
    return () => {
      view.removeEventListener('scroll', measure);
      sizes.disconnect();
    };
  }, [list, count]);
  return range;
}
