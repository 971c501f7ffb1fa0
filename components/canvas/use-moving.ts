'use client';

import { type RefObject, useMemo } from 'react';

/**
 * Marks the canvas with `data-moving`, which is `pan` or `zoom`, while the view moves (canvas.css). The mark is not a class,
 * because React would remove that with its next change of classes, and not a state, because nothing renders for it.
 */
export function useMoving(frame: RefObject<HTMLElement | null>) {
  return useMemo(
    () => ({
      onMoveStart: (event: MouseEvent | TouchEvent | null) =>
        frame.current?.setAttribute('data-moving', event?.type === 'mousedown' ? 'pan' : 'zoom'),
      onMoveEnd: () => frame.current?.removeAttribute('data-moving'),
    }),
    [frame],
  );
}
