'use client';

import { type RefObject, useMemo } from 'react';

/**
 * Marks the canvas with `data-moving` from the first step of a drag of the view to its end (canvas.css). The mark is not a class,
 * because React would remove that with its next change of classes, and not a state, because nothing renders for it.
 */
export function useMoving(frame: RefObject<HTMLElement | null>) {
  return useMemo(
    () => ({
      onMove(event: MouseEvent | TouchEvent | null) {
        const isNew = event?.type === 'mousemove' && frame.current?.hasAttribute('data-moving') === false;
        if (isNew) frame.current?.setAttribute('data-moving', '');
      },
      onMoveEnd: () => frame.current?.removeAttribute('data-moving'),
    }),
    [frame],
  );
}
