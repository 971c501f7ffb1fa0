'use client';

import { useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { gridPx } from '@/lib/graph/arrange';
import { dotsOf } from './dots-model';

/**
 * Draws the grid as dots behind the graph. Moving the view moves this picture of them, where React Flow's own background is painted
 * again for each step. From far away, where dots would be denser than they can be seen, there are none.
 */
export function Dots() {
  const store = useStoreApi();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const element = ref.current;
      if (element === null) return;
      const { gap, x, y, radius } = dotsOf(store.getState().transform, gridPx);
      element.hidden = gap === undefined;
      if (gap === undefined) return;
      element.style.inset = `-${gap}px`;
      element.style.backgroundSize = `${gap}px ${gap}px`;
      // The dot is in the middle of a tile.
      element.style.backgroundPosition = `${-gap / 2}px ${-gap / 2}px`;
      element.style.setProperty('--cb-dot', `${radius}px`);
      element.style.transform = `translate(${x}px, ${y}px)`;
    };
    place();
    return store.subscribe(({ transform }, before) => {
      if (transform !== before.transform) place();
    });
  }, [store]);
  return (
    <div aria-hidden className="-z-1 pointer-events-none absolute inset-0 overflow-hidden bg-ground">
      <div ref={ref} className="cb-dots absolute" />
    </div>
  );
}
